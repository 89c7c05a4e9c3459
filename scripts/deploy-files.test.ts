/** The files of `deploy/` are accepted by the programs they are for, and name only what there is. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const root = path.join(import.meta.dirname, '..');
const deploy = path.join(root, 'deploy');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const folder = mkdtempSync(path.join(os.tmpdir(), 'pahatid-deploy-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const lacks = (program: string, option = '--version'): string | false =>
  spawnSync(program, [option], { stdio: 'ignore' }).error === undefined ? false : `no ${program} here`;

/** The longest exposure that `systemd-analyze security` may report, times ten. */
const MOST_EXPOSED = '25';

const alerts = read('deploy/monitoring/alerts.yml');
const namesIn = (text: string): string[] => [...new Set(text.match(/\bpahatid_[a-z_]+/g) ?? [])];

test('alerts and the dashboard name metrics that are documented', () => {
  const documented = new Set(namesIn(read('docs/metrics.md')));
  const used = namesIn(alerts + read('deploy/monitoring/dashboard.json'));
  assert.ok(used.length > 20);
  assert.deepEqual(
    used.filter((name) => !documented.has(name.replace(/_(?:bucket|count|sum)$/, ''))),
    [],
  );
});

test('operations says of each alert what it means and what to do', () => {
  const operations = read('docs/operations.md');
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '');
  assert.ok(names.length > 10);
  assert.deepEqual(
    names.filter((name) => !operations.includes(`| \`${name}\` |`)),
    [],
  );
});

test('promtool accepts the alerts, and they fire as they should', { skip: lacks('promtool') }, () => {
  const monitoring = path.join(deploy, 'monitoring');
  for (const words of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ])
    execFileSync('promtool', words, { cwd: monitoring, stdio: 'pipe' });
});

/** A certificate for a file that names one. */
const makeCertificate = (): { key: string; certificate: string } => {
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=sms.example.com'];
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  return { key, certificate };
};

test('nginx accepts its file', { skip: lacks('nginx', '-v') || lacks('openssl', 'version') }, () => {
  const { key, certificate } = makeCertificate();
  const site = read('deploy/nginx/pahatid.conf')
    .replace('/etc/pahatid/tls/fullchain.pem', certificate)
    .replace('/etc/pahatid/tls/privkey.pem', key);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`);
  const { status, stderr } = spawnSync('nginx', ['-t', '-c', file, '-p', folder], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('HAProxy accepts its file', { skip: lacks('haproxy', '-v') || lacks('openssl', 'version') }, () => {
  const { key, certificate } = makeCertificate();
  const both = path.join(folder, 'both.pem');
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, read('deploy/haproxy/haproxy.cfg').replace('/etc/pahatid/tls/smpp.pem', both));
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('systemd finds the service little exposed', { skip: lacks('systemd-analyze') }, () => {
  const unit = path.join(deploy, 'systemd/pahatid@.service');
  const words = ['security', '--offline=true', `--threshold=${MOST_EXPOSED}`, unit];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
