import { describe, expect, it } from 'vitest';
import { isSecretPath } from './secret-paths.js';

const isSecret = (path: string) => isSecretPath(Buffer.from(path));

describe('the names of secrets', () => {
  it.each([
    '.env',
    'app/.env.production',
    '.envrc',
    '.ENV',
    'deploy/server.pem',
    'keys/id_ed25519',
    'tls.key',
    'home/.ssh/config',
    '.aws/credentials',
    'credentials.json',
    '.npmrc',
    '.netrc',
    'secrets.yaml',
    'client_secret.apps.json',
    'service-account-prod.json',
    'infra/terraform.tfstate',
    'ä/.env',
  ])('%s is one', (path) => {
    expect(isSecret(path)).toBe(true);
  });

  it.each([
    'env.ts',
    'src/environment.ts',
    'keyboard.ts',
    'id_ed25519.pub',
    'docs/secrets.md',
    'src/credentials.ts',
    'monkey',
    'a.envoy/x',
    '',
  ])('%s is none', (path) => {
    expect(isSecret(path)).toBe(false);
  });
});
