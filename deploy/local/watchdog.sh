# Reads lines `add <kind> <pid>` and `del <kind> <pid>`; kind is service or server. The end of the input means that the
# launcher has exited: stops the listed processes, services first, and kills each after 12 seconds.
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

# Without an init process that reaps orphans, an exited process stays as a zombie.
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
