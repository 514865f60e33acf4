{{- /* Labels of an object: list name component. Without a name, of an object that all services share. */}}
{{- define "labels" }}
{{- with first . }}
app.kubernetes.io/name: {{ . }}
{{- end }}
app.kubernetes.io/component: {{ last . }}
app.kubernetes.io/part-of: tutoring
{{- end }}

{{- /* The labels that select the serving pods of a service. */}}
{{- define "serving" -}}
{ app.kubernetes.io/name: {{ . }}, app.kubernetes.io/component: serve }
{{- end }}

{{- /* What the pods of replicas and migrations have in common. */}}
{{- define "pod" }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
# Service links would add variables such as WALLET_PORT=tcp://... to the environment.
enableServiceLinks: false
{{- end }}

{{- define "confined" -}}
{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- end }}

{{- /*
The variables of a container: list root service. They are part of the pod, so that a change replaces the replicas of
this service alone and a rollback restores them. Kubernetes replaces $(NAME) and $$ in them.
*/}}
{{- define "environment" }}
{{- range $key, $value := merge (dict) (last .).config (first .).Values.config }}
- { name: {{ $key }}, value: {{ $value | replace "$" "$$" | quote }} }
{{- end }}
{{- end }}

{{- /* Rules for connections to the servers: PostgreSQL, NATS, and those of the value `egress`. */}}
{{- define "postgres" }}
- to: [{ podSelector: { matchExpressions: [{ key: cnpg.io/cluster, operator: In, values: [{{ .Values.servers.postgres }}] }] } }]
  ports: [{ port: 5432 }]
{{- end }}

{{- define "nats" }}
- to: [{{ include "namespace" .Values.servers.nats }}]
  ports: [{ port: 4222 }]
{{- end }}

{{- define "namespace" -}}
{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ . }} } } }
{{- end }}

{{- define "names" -}}
{ podSelector: { matchExpressions: [{ key: app.kubernetes.io/name, operator: In, values: {{ toJson . }} }] } }
{{- end }}
