/** The manifests of ops/kubernetes, held against the schemas of Kubernetes and against the program that they start. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig, SETTINGS } from '../apps/server/src/settings/config.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = 'ops/kubernetes';
const read = (path: string): string => readFileSync(ROOT + path, 'utf8');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

interface Model {
  apiVersion: string;
  kind: string;
  prototype: { validate(): void };
}

const MODELS: Model[] = [
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  ConfigMap,
  Namespace,
  Service,
  ServiceAccount,
];

const kustomization = parse(read(`${FOLDER}/kustomization.yaml`)) as {
  namespace: string;
  resources: string[];
  images: { name: string; newName: string; newTag: string }[];
  configMapGenerator: { name: string; literals: string[] }[];
};

const manifests = kustomization.resources.flatMap(file =>
  parseAllDocuments(read(`${FOLDER}/${file}`)).map(document => document.toJS() as Manifest),
);
const named = manifests.map(manifest => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const);

/** Notes what is read of a value: the compiled schemas read every field that they know, and none that they do not. */
function watchReads(value: object, path: string, seen: Set<string>): object {
  return new Proxy(value, {
    get(target, name, receiver) {
      const inner: unknown = Reflect.get(target, name, receiver);
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return inner;
      const at = `${path}/${name}`;
      seen.add(at);
      return typeof inner === 'object' && inner !== null ? watchReads(inner, at, seen) : inner;
    },
  });
}

const pathsOf = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [`${path}/${name}`, ...pathsOf(inner, `${path}/${name}`)])
    : [];

/** Maps from any name to a text: their schema reads the values, and this is where they may stand. */
const FREE_NAMES = /\/(?:labels|annotations|matchLabels|requests|limits|selector)\/[^/]+$/;

function unknownFields(manifest: Manifest): string[] {
  const model = MODELS.find(one => one.apiVersion === manifest.apiVersion && one.kind === manifest.kind);
  if (model === undefined) return [`${manifest.apiVersion} ${manifest.kind} has no schema here`];
  const seen = new Set<string>();
  model.prototype.validate.call(watchReads(manifest, '', seen) as Model['prototype']);
  return pathsOf(manifest, '').filter(path => !seen.has(path) && !FREE_NAMES.test(path));
}

describe('every manifest', () => {
  it('is named in the kustomization, and each name is there once', () => {
    const files = readdirSync(ROOT + FOLDER).filter(name => name !== 'kustomization.yaml');
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted());
    expect(new Set(named.map(([name]) => name)).size).toBe(manifests.length);
    expect(Object.keys(kustomization).toSorted()).toEqual(
      ['apiVersion', 'configMapGenerator', 'images', 'kind', 'namespace', 'resources'].toSorted(),
    );
  });

  it.each(named)('%s is valid by the schema of Kubernetes, and has no field that it does not know', (_, manifest) => {
    expect(unknownFields(manifest)).toEqual([]);
  });

  it('would be refused with a wrong type, without what is required, and with a misspelled field', () => {
    const deployment = structuredClone(manifests.find(({ kind }) => kind === 'Deployment')!) as Manifest & {
      spec: Record<string, unknown>;
    };
    const wrong = (spec: object) => () => unknownFields({ ...deployment, spec } as Manifest);
    expect(wrong({ ...deployment.spec, minReadySeconds: 'five' })).toThrow(/minReadySeconds/);
    expect(wrong({ ...deployment.spec, template: undefined })).toThrow(/template/);
    expect(wrong({ ...deployment.spec, revisionHistoryLimits: 5 })()).toEqual(['/spec/revisionHistoryLimits']);
  });

  it('holds no secret: each is a file that a Secret of the operator brings', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const secrets = SETTINGS.filter(({ isSecret }) => isSecret).map(({ name }) => name);
    for (const name of secrets) expect(settings).not.toHaveProperty(name);
  });
});

const settings = Object.fromEntries(
  kustomization.configMapGenerator[0]!.literals.map(line => [
    line.slice(0, line.indexOf('=')),
    line.slice(line.indexOf('=') + 1),
  ]),
);

const dockerfile = read('Dockerfile');
const imageSettings = Object.fromEntries(
  [.../^ENV (.+)$/m.exec(dockerfile)![1]!.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
);

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
  timeoutSeconds: number;
}

interface Container {
  image: string;
  args: string[];
  command?: string[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  envFrom: { configMapRef: { name: string } }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}

interface Pod {
  securityContext: { runAsUser: number; runAsGroup: number; runAsNonRoot: boolean };
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  containers: Container[];
  volumes: { name: string; secret?: { secretName: string; defaultMode: number }; emptyDir?: object }[];
}

const podOf = (manifest: Manifest): Pod =>
  (manifest as Manifest & { spec: { template: { spec: Pod } } }).spec.template.spec;
const pods = manifests
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map(manifest => [manifest.metadata.name, podOf(manifest)] as const);
const deployments = pods.filter(([name]) => name !== 'coinslot-migrate');

describe('the settings', () => {
  it('are settings of the program, and with the files of the Secret enough for production', () => {
    const known = new Set(SETTINGS.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])));
    expect(Object.keys(settings).filter(name => !known.has(name))).toEqual([]);
    const files = Object.keys(settings).filter(name => name.endsWith('_FILE'));
    const given = Object.fromEntries(Object.entries(settings).filter(([name]) => !files.includes(name)));
    const config = loadConfig({
      ...imageSettings,
      ...given,
      DATABASE_URL: 'postgresql://coinslot:password@db:5432/coinslot',
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    expect(config).toMatchObject({ env: 'production', port: 4242, opsPort: 9464, opsHost: '0.0.0.0' });
    expect(config.operations.migrate).toBe(false);
    expect(new URL(config.publicUrl).host).toBe('pay.example.com');
    expect(files).toEqual(['DATABASE_URL_FILE', 'MASTER_KEY_FILE', 'SMTP_URL_FILE']);
  });

  it('leave connections free in a PostgreSQL of 200, with every pod that may run at once', () => {
    const most = manifests
      .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
      .map(manifest => (manifest as Manifest & { spec: { maxReplicas: number } }).spec.maxReplicas + 1);
    const all = most.reduce((sum, one) => sum + one, 1);
    expect(all * Number(settings.DATABASE_CONNECTIONS)).toBeLessThanOrEqual(200);
    expect(read('docs/guides/kubernetes.md')).toContain(`${all * Number(settings.DATABASE_CONNECTIONS)} connections`);
  });
});

describe.each(pods)('%s', (name, pod) => {
  const [container] = pod.containers as [Container];

  it('runs the image that was built, by the command of its name, with the settings', () => {
    expect(pod.containers).toHaveLength(1);
    expect(kustomization.images.map(image => image.name)).toEqual([container.image]);
    expect(container.command, 'the ENTRYPOINT of the image holds').toBeUndefined();
    expect(container.args).toEqual([name.replace('coinslot-', '')]);
    expect(read('apps/server/src/main.ts')).toContain(`  ${container.args[0]}: async () =>`);
    expect(container.envFrom).toEqual([{ configMapRef: { name: kustomization.configMapGenerator[0]!.name } }]);
  });

  it('is the user of the image and can write nothing but /tmp', () => {
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(dockerfile)!.map(Number);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: group,
      fsGroup: group,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    const writable = container.volumeMounts.filter(mount => pod.volumes.find(one => one.name === mount.name)?.emptyDir);
    expect(writable.map(mount => mount.mountPath)).toEqual(['/tmp']);
  });

  it('finds each secret in the folder of the Secret, which only its group can read', () => {
    const secret = pod.volumes.find(volume => volume.secret)!;
    expect(secret.secret).toEqual({ secretName: 'coinslot', defaultMode: 0o440 });
    const { mountPath } = container.volumeMounts.find(mount => mount.name === secret.name)!;
    for (const [setting, path] of Object.entries(settings))
      if (setting.endsWith('_FILE')) expect(path).toBe(`${mountPath}/${setting.slice(0, -'_FILE'.length)}`);
  });
});

describe.each(deployments)('%s', (name, pod) => {
  const [container] = pod.containers as [Container];
  const ports = Object.fromEntries(container.ports!.map(port => [port.name, port.containerPort]));

  it('names the ports that the image listens on', () => {
    const exposed = /^EXPOSE (.+)$/m.exec(dockerfile)![1]!.split(' ').map(Number);
    expect(Object.values(ports).every(port => exposed.includes(port))).toBe(true);
    expect(ports.ops).toBe(Number(imageSettings.OPS_PORT));
    expect(ports.http).toBe(name === 'coinslot-serve' ? Number(imageSettings.PORT) : undefined);
  });

  it('is asked for its health where the program answers, with more patience than the program needs', () => {
    const door = read('apps/server/src/doors/ops/ops-door.ts');
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const probe of [startupProbe!, livenessProbe!, readinessProbe!]) {
      expect(door).toContain(`app.get('${probe.httpGet.path}'`);
      expect(probe.httpGet.port).toBe('ops');
    }
    expect(readinessProbe!.httpGet.path).toBe('/readyz');
    expect(livenessProbe!.httpGet.path).toBe('/healthz');
    const [, milliseconds = ''] = /ANSWER_WITHIN_MS = ([\d_]+)/.exec(read('apps/server/src/doors/ops/readiness.ts'))!;
    expect(readinessProbe!.timeoutSeconds * 1000).toBeGreaterThan(2 * Number(milliseconds.replace('_', '')));
  });

  it('is stopped no earlier than the program has finished', () => {
    expect(pod.terminationGracePeriodSeconds! - Number(settings.STOP_DELAY_SECONDS)).toBeGreaterThanOrEqual(30);
  });

  it('has a budget of disruptions and an autoscaler, and the autoscaler alone says how many run', () => {
    const of = (kind: string) => manifests.find(one => one.kind === kind && one.metadata.name === name);
    const { spec } = of('Deployment') as Manifest & { spec: { replicas?: number; selector: object } };
    expect(spec.replicas).toBeUndefined();
    expect(of('PodDisruptionBudget')).toMatchObject({ spec: { maxUnavailable: 1, selector: spec.selector } });
    expect(of('HorizontalPodAutoscaler')).toMatchObject({
      spec: { scaleTargetRef: { kind: 'Deployment', name }, minReplicas: 2, metrics: [{ resource: { name: 'cpu' } }] },
    });
  });
});

describe('what players reach', () => {
  it('is the host of PUBLIC_URL, by the service of the pods that serve', () => {
    const ingress = manifests.find(({ kind }) => kind === 'Ingress') as Manifest & {
      spec: { tls: { hosts: string[] }[]; rules: { host: string; http: { paths: object[] } }[] };
    };
    const { host } = new URL(settings.PUBLIC_URL!);
    expect(ingress.spec.tls[0]!.hosts).toEqual([host]);
    expect(ingress.spec.rules).toEqual([
      {
        host,
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: 'coinslot', port: { name: 'http' } } },
            },
          ],
        },
      },
    ]);
    expect(manifests.find(({ kind }) => kind === 'Service')).toMatchObject({
      spec: {
        selector: { 'app.kubernetes.io/component': 'serve' },
        ports: [{ name: 'http', targetPort: 'http' }],
      },
    });
  });

  it('is all that reaches a pod, and no pod reaches the network of the cluster by the rule for the public', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as (Manifest & {
      spec: { policyTypes: string[]; egress?: { to?: { ipBlock?: { except: string[] } }[] }[] };
    })[];
    expect(policies[0]!.spec).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'coinslot' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [],
    });
    const blocks = policies.flatMap(({ spec }) => spec.egress ?? []).flatMap(rule => rule.to ?? []);
    const except = blocks.flatMap(({ ipBlock }) => ipBlock?.except ?? []);
    for (const network of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7'])
      expect(except).toContain(network);
  });
});
