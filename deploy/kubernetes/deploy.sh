#!/bin/sh
# Brings one service, or all, of an overlay to the version that the overlay names: configuration, then the migration,
# then the replicas one by one. Nothing of the other services changes. Stops at the first failure.
#   deploy/kubernetes/deploy.sh production wallet
#   deploy/kubernetes/deploy.sh production
set -eu
overlay=${1:?usage: deploy.sh <overlay> [service...]}
shift
rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
kubectl kustomize "$(dirname "$0")/overlays/$overlay" >"$rendered"
namespace=$(sed -n '/^kind: Namespace/,/^---/s/^  name: //p' "$rendered")
apply() { kubectl apply -f "$rendered" -l "app.kubernetes.io/part-of=tutoring,$1"; }

# ConfigMaps carry a hash in their names: running replicas keep theirs.
apply app.kubernetes.io/component=configuration
for service in ${*:-identity wallet messaging calls gateway}; do
  if [ "$service" != gateway ]; then
    kubectl -n "$namespace" delete job "migrate-$service" --ignore-not-found --wait
    apply "app.kubernetes.io/name=$service,app.kubernetes.io/component=migration"
    kubectl -n "$namespace" wait --for=condition=complete --timeout=900s "job/migrate-$service"
  fi
  apply "app.kubernetes.io/name=$service,app.kubernetes.io/component=serve"
  kubectl -n "$namespace" rollout status --timeout=600s "deployment/$service"
done
