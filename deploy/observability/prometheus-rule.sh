#!/bin/sh
# Prints alerts.yaml for the Prometheus operator:
#   deploy/observability/prometheus-rule.sh | kubectl -n tutoring apply -f -
cat <<'YAML'
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: tutoring
  labels: { app.kubernetes.io/part-of: tutoring }
spec:
YAML
sed 's/^/  /' "$(dirname "$0")/alerts.yaml"
