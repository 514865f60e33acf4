# Reads `add <kind> <pid>` and `del <kind> <pid>`, kind being service or server. When the input ends, the launcher is
# gone, however it went: what is still listed is asked to end, services first, and killed after 12 seconds.
trap '' INT TERM HUP
service=' ' server=' '
while read -r verb kind pid; do
  eval "list=\$$kind"
  case $verb in
    add) list="$list$pid " ;;
    del) list="${list%% $pid *} ${list#* $pid }" ;;
  esac
  eval "$kind=\$list"
done

# Where nobody collects orphans, one that has ended stays as a zombie.
lives() {
  kill -0 "$1" 2>/dev/null || return 1
  case $(ps -o stat= -p "$1" 2>/dev/null) in Z*) return 1 ;; esac
}

end() {
  alive=
  for pid in $2; do kill -"$1" "$pid" 2>/dev/null; done
  tick=0
  while [ $tick -lt 60 ]; do
    alive=
    for pid in $2; do lives "$pid" && alive="$alive $pid"; done
    [ -z "$alive" ] && return
    sleep 0.2
    tick=$((tick + 1))
  done
  for pid in $alive; do kill -KILL "$pid" 2>/dev/null; done
}

end TERM "$service"
end INT "$server"
