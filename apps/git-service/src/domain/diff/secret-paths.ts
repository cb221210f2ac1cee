/**
 * Names that by custom hold secrets. They are matched in lower case, against one part of a path each; an example file
 * (`.env.example`) is withheld as well: that it holds none is a custom, too, and a weaker one.
 */
const FILES = [
  /^\.env/,
  /\.(pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|gpg|asc|age)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /^[._]?netrc$/,
  /^\.(npmrc|yarnrc|pypirc|pgpass|htpasswd|git-credentials|my\.cnf|dockercfg|boto|s3cfg|terraformrc|vault-token)$/,
  /^credentials(\.(json|ya?ml|toml|ini|xml))?$/,
  /^(client_)?secrets?(\.[a-z0-9-]+)*\.(json|ya?ml|toml|ini|env|txt)$/,
  /^service[-_]account.*\.json$/,
  /\.tfstate(\.backup)?$/,
  /\.tfvars(\.json)?$/,
];
const FOLDERS = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.gcloud', '.kube', '.docker', '.git']);

/**
 * Whether the contents of a file are withheld because its name says that it holds secrets: `.env`, keys, credentials.
 *
 * @param path from the top of the worktree; any bytes
 */
export function isSecretPath(path: Buffer): boolean {
  const parts = path.toString('latin1').toLowerCase().split('/');
  const file = parts.pop() ?? '';
  return FILES.some((pattern) => pattern.test(file)) || parts.some((folder) => FOLDERS.has(folder));
}
