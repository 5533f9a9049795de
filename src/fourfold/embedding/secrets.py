"""Which files look like secrets: these are never sent to a remote embedder, consent or not."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

#: Names of files (lower case), whatever folder they are in.
_NAMES = (
    ".env", ".env.*", "*.env", ".envrc",
    "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "*_rsa", "*_ed25519",
    "*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.pkcs12", "*.ovpn", "*.gpg",
    ".netrc", "_netrc", ".pgpass", ".my.cnf", ".htpasswd", ".npmrc", ".yarnrc.yml", ".pypirc", ".git-credentials",
    ".dockercfg", ".dockerconfigjson", ".vault-token", ".vault_pass*", "vault_pass*", "kubeconfig", "*.kubeconfig",
    "*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.json", "terraform.rc", ".terraformrc",
    "credentials", "credentials.*", "client_secret*.json", "service-account*.json", "service_account*.json",
    "secret", "secrets", "secret.*", "secrets.*", "*.secret", "*.secrets", "local.settings.json",
)  # fmt: skip
#: The end of a path (lower case, with /): files that are secret only there.
_PATHS = (".docker/config.json", ".aws/config", ".aws/credentials", ".kube/config", ".cargo/credentials")
_FOLDERS = (".ssh", ".gnupg", ".aws", ".password-store")
#: Examples are written to be read by others.
_EXAMPLE = re.compile(r"\.(?:example|sample|template|tmpl|dist|defaults?|pub)$|^(?:example|sample|template)[._-]")
#: A module that deals with secrets is code: its name alone makes it no secret.
_CODE = re.compile(
    r"\.(?:py|pyi|js|mjs|cjs|jsx|ts|tsx|go|rs|java|kt|kts|scala|c|h|cc|cpp|hpp|cs|rb|php|swift|ex|exs|erl|hs|lua|dart"
    r"|sh|bash|zig|ml|clj|vue|svelte|md|rst|html|css|scss|sql|proto|pl|pm|r|jl|nim|fs|vb|m|mm)$"
)

#: What only a real key looks like, in any file.
_CONTENT = re.compile(
    rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\s+(?:[\w-]+: ?[^\n]*\s+)*[A-Za-z0-9+/]{40,}"
    rb"|PuTTY-User-Key-File-\d: [\w-]+"
    rb"|AGE-SECRET-KEY-1[0-9A-Z]{58}"
    rb"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    rb"|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b|\bglpat-[\w-]{20,}"
    rb"|\bxox[abprs]-\d{10,}-[\w-]{10,}|hooks\.slack\.com/services/T\w{8,}/B\w{8,}/\w{20,}"
    rb"|\b[rs]k_live_[A-Za-z0-9]{24,}|\bsk-ant-[\w-]{32,}|\bsk-(?:proj-)?[A-Za-z0-9_-]{20}T3BlbkFJ[A-Za-z0-9_-]{20}"
    rb"|\bAIza[0-9A-Za-z_-]{35}\b|\bya29\.[\w-]{40,}|\bnpm_[A-Za-z0-9]{36}\b|\bpypi-AgE[\w-]{60,}|\bhf_[A-Za-z]{34}\b"
    rb"|\bSG\.[\w-]{22}\.[\w-]{43}\b|\bpa-[A-Za-z0-9_-]{43}\b|\bdop_v1_[a-f0-9]{64}\b"
    rb'|"type":\s*"service_account"'
)


def is_secret(path: str, head: bytes) -> bool:
    """Whether the file at ``path`` (with /) looks like a secret by its name, or ``head`` (its bytes, or as many of them
    as are at hand) holds what only a real key looks like. Rather too often than too rarely."""
    *folders, name = path.lower().split("/")
    if any(folder in _FOLDERS for folder in folders):
        return True
    if not _EXAMPLE.search(name) and not _CODE.search(name):
        full = "/" + path.lower()
        if any(fnmatchcase(name, pattern) for pattern in _NAMES) or any(full.endswith("/" + end) for end in _PATHS):
            return True
    return _CONTENT.search(head) is not None
