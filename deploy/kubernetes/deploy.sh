#!/bin/sh
# Brings one service, or all, of an overlay to what the overlay says: configuration, then the migration, then the
# replicas one by one. Nothing of the other services changes. Stops at the first failure, prints its log and events, and
# exits 1; the old replicas serve on. One at a time for each namespace.
#   deploy/kubernetes/deploy.sh production
#   deploy/kubernetes/deploy.sh production wallet
#   deploy/kubernetes/deploy.sh --diff production [service...]   changes nothing; exits 1 when something would change
#   deploy/kubernetes/deploy.sh --rollback production wallet     the replicas of before; migrations stay
set -eu

mode=deploy
case ${1:-} in
  --diff | --rollback) mode=${1#--} && shift ;;
esac
case ${1:-} in
  '' | -*) echo "usage: deploy.sh [--diff | --rollback] <overlay> [service...]" >&2 && exit 2 ;;
esac
overlay=$1
shift
if [ "$mode" = rollback ] && [ $# = 0 ]; then echo "deploy.sh: say which services to roll back" >&2 && exit 2; fi
services=${*:-identity wallet messaging calls gateway}

rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
kubectl kustomize "$(dirname "$0")/overlays/$overlay" >"$rendered"
namespace=$(sed -n '/^kind: Namespace/,/^---/s/^  name: //p' "$rendered")
system=app.kubernetes.io/part-of=tutoring
configuration=app.kubernetes.io/component=configuration

k() { kubectl -n "$namespace" "$@"; }
fail() { echo "deploy.sh: $*" >&2 && exit 1; }
serving() { echo "app.kubernetes.io/name=$1,app.kubernetes.io/component=serve"; }

# checksum SERVICE: of the Secrets that it reads. In the pods' annotations it makes a changed Secret replace them.
checksum() {
  secrets=$(k get secret common "$1" -o 'jsonpath={range .items[*]}{.metadata.name}{.data}{end}') ||
    fail "$1 needs the Secrets common and $1 in the namespace $namespace (secrets.example.yaml); nothing was changed"
  printf %s "$secrets" | sha256sum | cut -c 1-32
}

# with VERB SELECTOR [CHECKSUM]: kubectl apply or diff of those objects of the overlay.
with() {
  sed "s|checksum/secrets: .*|checksum/secrets: ${3:-none}|" "$rendered" | kubectl "$1" -f - -l "$system,$2"
}

# Kubernetes would call the rollout of no replicas a success, and the autoscaler leaves a Deployment at 0 alone.
refuse_zero() {
  if [ "$(k get deployment "$1" --ignore-not-found -o 'jsonpath={.spec.replicas}')" = 0 ]; then
    fail "$1 is scaled to 0 replicas; start it first: kubectl -n $namespace scale deployment $1 --replicas=2"
  fi
}

# Pods of the selector that wait for what does not come by itself: a Secret, an image, a process that starts.
stuck() {
  k get pods -l "$1" -o 'jsonpath={range .items[*]}{.metadata.name}{range .status.containerStatuses[*]}{" "}{.state.waiting.reason}{":"}{.restartCount}{end}{"\n"}{end}' |
    grep -E '(CreateContainer(Config)?Error|InvalidImageName|ErrImageNeverPull|ImagePullBackOff):|CrashLoopBackOff:([3-9]|..)'
}

# explain SELECTOR OWNER: what the pods printed, and what Kubernetes says about them and their owner.
explain() {
  {
    for pod in $(k get pods -l "$1" -o 'jsonpath={.items[*].metadata.name}'); do
      echo "--- log of $pod"
      k logs "$pod" --tail=50 || true
      echo "--- events of $pod"
      k get events --field-selector "involvedObject.name=$pod" || true
    done
    echo "--- events of $2"
    k get events --field-selector "involvedObject.name=$2" || true
  } >&2
}

migrate() {
  job=migrate-$1
  k delete job "$job" --ignore-not-found --wait
  with apply "app.kubernetes.io/name=$1,app.kubernetes.io/component=migration"
  # The Job's own deadline (900 s) makes it Failed, so this ends.
  while :; do
    case " $(k get job "$job" -o 'jsonpath={.status.conditions[?(@.status=="True")].type}') " in
      *' Complete '*) return ;;
      *' Failed '*) reason='failed' ;;
      *) reason=$(stuck "job-name=$job") || reason= ;;
    esac
    if [ -n "$reason" ]; then
      explain "job-name=$job" "$job"
      fail "the migration of $1 did not succeed ($reason); its replicas were not touched"
    fi
    sleep 2
  done
}

# The label of the pods that the Deployment's present revision makes.
newest() {
  revision=$(k get deployment "$1" -o 'jsonpath={.metadata.annotations.deployment\.kubernetes\.io/revision}')
  k get replicasets -l "$(serving "$1")" -o 'jsonpath={range .items[*]}{.metadata.annotations.deployment\.kubernetes\.io/revision}{" pod-template-hash="}{.metadata.labels.pod-template-hash}{"\n"}{end}' |
    sed -n "s/^${revision:-none} //p"
}

await_replicas() {
  deadline=$(($(date +%s) + 600))
  until k rollout status "deployment/$1" --timeout=2s &&
    available=$(k get deployment "$1" -o 'jsonpath={.status.availableReplicas}'); do
    # A control plane that is away for a moment, and refuses at once, does not end the wait.
    pods="$(serving "$1"),$(newest "$1" || true)"
    if reason=$(stuck "$pods") || { [ "$(date +%s)" -ge "$deadline" ] && reason='not ready after 10 minutes'; }; then
      explain "$pods" "$1"
      fail "the new replicas of $1 do not start ($reason); the old ones serve on (deploy.sh --rollback $overlay $1)"
    fi
    sleep 1
  done
  [ "${available:-0}" -gt 0 ] || fail "$1 has no replica"
}

# ConfigMaps carry a hash in their names: running replicas keep theirs, and those that a rollback needs theirs.
prune() {
  used=$(k get replicasets,jobs -l "$system" -o 'jsonpath={.items[*].spec.template.spec.containers[*].envFrom[*].configMapRef.name}')
  for map in $(k get configmaps -l "$system,$configuration" -o 'jsonpath={.items[*].metadata.name}'); do
    case " $used " in
      *" $map "*) ;;
      *) grep -q "^  name: $map\$" "$rendered" || k delete configmap "$map" ;;
    esac
  done
}

deploy() {
  for service in $services; do
    refuse_zero "$service"
    checksum "$service" >/dev/null
  done
  with apply "$configuration"
  for service in $services; do
    [ "$service" = gateway ] || migrate "$service"
    sum=$(checksum "$service")
    with apply "$(serving "$service")" "$sum"
    await_replicas "$service"
  done
  prune
}

# Without the migration Jobs, which are made anew each time.
changes() {
  changed=0
  compare() {
    code=0
    with diff "$@" || code=$?
    [ $code -le 1 ] || exit $code
    changed=$((changed | code))
  }
  compare "$configuration"
  for service in $services; do
    sum=$(checksum "$service")
    compare "$(serving "$service")" "$sum"
  done
  exit $changed
}

rollback() {
  for service in $services; do
    refuse_zero "$service"
    k rollout undo "deployment/$service"
    await_replicas "$service"
  done
  echo "Now put the old version back into overlays/$overlay too: the next deployment applies what stands there."
}

case $mode in
  deploy) deploy ;;
  diff) changes ;;
  rollback) rollback ;;
esac
