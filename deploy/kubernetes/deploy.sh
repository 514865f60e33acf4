#!/bin/sh
# Deploys one or all services with a values file of the chart deploy/helm: configuration, then the migration, then the
# replicas one by one. Does not change other services. Stops at the first failure, prints its log and events, and exits
# 1; the old replicas continue to serve. Do not run two deployments in a namespace at the same time, and do not use it
# for a namespace that `helm upgrade` manages. NAMESPACE is the namespace (tutoring).
#   deploy/kubernetes/deploy.sh values-production.yaml
#   deploy/kubernetes/deploy.sh values-production.yaml wallet
#   deploy/kubernetes/deploy.sh --diff values-production.yaml [service...]   changes nothing; exits 1 when something
#     would change
#   deploy/kubernetes/deploy.sh --rollback values-production.yaml wallet     back to the previous replicas with their
#     configuration; migrations stay
set -eu

mode=deploy
case ${1:-} in
  --diff | --rollback) mode=${1#--} && shift ;;
esac
case ${1:-} in
  '' | -*) echo "usage: deploy.sh [--diff | --rollback] <values file> [service...]" >&2 && exit 2 ;;
esac
values=$1
shift
if [ "$mode" = rollback ] && [ $# = 0 ]; then echo "deploy.sh: say which services to roll back" >&2 && exit 2; fi
services=${*:-identity wallet messaging calls gateway}

rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
namespace=${NAMESPACE:-tutoring}
helm template tutoring "$(dirname "$0")/../helm" --namespace "$namespace" --values "$values" >"$rendered"
system=app.kubernetes.io/part-of=tutoring
configuration=app.kubernetes.io/component=configuration

k() { kubectl -n "$namespace" "$@"; }
fail() { echo "deploy.sh: $*" >&2 && exit 1; }
serving() { echo "app.kubernetes.io/name=$1,app.kubernetes.io/component=serve"; }

# checksum SERVICE: hash of the Secrets of a service. As an annotation of the pods it makes a changed Secret replace
# them.
checksum() {
  secrets=$(k get secret common "$1" -o 'jsonpath={range .items[*]}{.metadata.name}{.data}{end}') ||
    fail "$1 needs the Secrets common and $1 in the namespace $namespace (secrets.example.yaml); nothing was changed"
  printf %s "$secrets" | sha256sum | cut -c 1-32
}

# with VERB SELECTOR [CHECKSUM]: runs kubectl apply or diff for the selected objects of the chart.
with() {
  sed "s|checksum/secrets: .*|checksum/secrets: '${3:-none}'|" "$rendered" | k "$1" -f - -l "$system,$2"
}

# Kubernetes would report a rollout of zero replicas as a success, and the autoscaler ignores a Deployment with 0.
refuse_zero() {
  if [ "$(k get deployment "$1" --ignore-not-found -o 'jsonpath={.spec.replicas}')" = 0 ]; then
    fail "$1 is scaled to 0 replicas; start it first: kubectl -n $namespace scale deployment $1 --replicas=2"
  fi
}

# Pods of the selector that cannot start without help: a Secret or image is missing, or the process crashes.
stuck() {
  k get pods -l "$1" -o 'jsonpath={range .items[*]}{.metadata.name}{range .status.containerStatuses[*]}{" "}{.state.waiting.reason}{":"}{.restartCount}{end}{"\n"}{end}' |
    grep -E '(CreateContainer(Config)?Error|InvalidImageName|ErrImageNeverPull|ImagePullBackOff):|CrashLoopBackOff:([3-9]|..)'
}

# explain SELECTOR OWNER: prints the logs of the pods, and the events of the pods and their owner.
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
  # `helm template` renders the first revision.
  job=migrate-$1-1
  k delete job "$job" --ignore-not-found --wait
  with apply "app.kubernetes.io/name=$1,app.kubernetes.io/component=migration"
  # The loop ends, because the Job fails at its own deadline (900 s).
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

# The label of the pods of the Deployment's current revision.
newest() {
  revision=$(k get deployment "$1" -o 'jsonpath={.metadata.annotations.deployment\.kubernetes\.io/revision}')
  k get replicasets -l "$(serving "$1")" -o 'jsonpath={range .items[*]}{.metadata.annotations.deployment\.kubernetes\.io/revision}{" pod-template-hash="}{.metadata.labels.pod-template-hash}{"\n"}{end}' |
    sed -n "s/^${revision:-none} //p"
}

await_replicas() {
  deadline=$(($(date +%s) + 600))
  until k rollout status "deployment/$1" --timeout=2s &&
    available=$(k get deployment "$1" -o 'jsonpath={.status.availableReplicas}'); do
    # A short outage of the control plane, which refuses at once, does not end the wait.
    pods="$(serving "$1"),$(newest "$1" || true)"
    if reason=$(stuck "$pods") || { [ "$(date +%s)" -ge "$deadline" ] && reason='not ready after 10 minutes'; }; then
      explain "$pods" "$1"
      fail "the new replicas of $1 do not start ($reason); the old ones continue to serve (roll back with: deploy.sh --rollback $values $1)"
    fi
    sleep 1
  done
  [ "${available:-0}" -gt 0 ] || fail "$1 has no replica"
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
}

# Ignores the migration Jobs, which each deployment creates again.
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
  echo "Now restore the old version in $values, too: the next deployment applies what it contains."
}

case $mode in
  deploy) deploy ;;
  diff) changes ;;
  rollback) rollback ;;
esac
