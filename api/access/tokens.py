"""The text of an API key: `egcf_ID_SECRET`, recognisable to people, logs and leak scanners.

ID, 12 characters, is public and names the token in logs and lists. SECRET is 43 characters
from 62, a little over 256 random bits, and 6 more that are a checksum over all before them: a
mistyped token is refused without asking the database, and a scanner can tell a real one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
import zlib
from dataclasses import dataclass, field

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_PREFIX = "egcf"
_ID_LENGTH = 12
_SECRET_LENGTH = 43
_CHECKSUM_LENGTH = 6

_ID = re.compile(rf"(?:{_PREFIX}_)?([0-9A-Za-z]{{{_ID_LENGTH}}})")
_TOKEN = re.compile(
    rf"({_PREFIX}_([0-9A-Za-z]{{{_ID_LENGTH}}})_([0-9A-Za-z]{{{_SECRET_LENGTH}}}))"
    rf"([0-9A-Za-z]{{{_CHECKSUM_LENGTH}}})"
)
_SECRETS = re.compile(
    # An API key keeps its id; a JWT is three parts of which the first begins with `{"`.
    rf"(?<![0-9A-Za-z])({_PREFIX}_[0-9A-Za-z]{{1,{_ID_LENGTH}}})_[0-9A-Za-z]+"
    r"|\beyJ[\w-]{8,}\.[\w-]*\.[\w-]*"
)

LENGTH = len(_PREFIX) + _ID_LENGTH + _SECRET_LENGTH + _CHECKSUM_LENGTH + 2
"""Characters of a token."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key as its holder has it.

    Attributes:
        token_id: the public part.
        secret: the part that is nowhere stored.
    """

    token_id: str
    secret: str = field(repr=False)

    @classmethod
    def new(cls) -> ApiKey:
        """A fresh one from the system's source of randomness."""
        return cls(_random(_ID_LENGTH), _random(_SECRET_LENGTH))

    @classmethod
    def parse(cls, text: str) -> ApiKey | None:
        """The key that `text` writes; None if it is none, or was mistyped."""
        found = _TOKEN.fullmatch(text) if len(text) == LENGTH else None
        if found is None or _checksum(found[1]) != found[4]:
            return None
        return cls(found[2], found[3])

    @property
    def text(self) -> str:
        """What its holder sends."""
        body = f"{_PREFIX}_{self.token_id}_{self.secret}"
        return body + _checksum(body)

    @property
    def digest(self) -> str:
        """SHA-256 of the secret, in hexadecimal. The secret is random, so no salt is needed."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def fits(self, digest: str) -> bool:
        """Whether `digest` is this key's, in a time that does not depend on how it differs."""
        return hmac.compare_digest(self.digest, digest)


def looks_like_api_key(text: str) -> bool:
    """Whether `text` begins as an API key does."""
    return text.startswith(f"{_PREFIX}_")


def token_id_of(text: str) -> str | None:
    """The public id in `text`: the id alone, with the prefix, or a whole token; else None."""
    if (key := ApiKey.parse(text)) is not None:
        return key.token_id
    found = _ID.fullmatch(text)
    return found[1] if found else None


def without_secrets(text: str) -> str:
    """`text` with the secrets of API keys and whole JWTs struck out, for logs."""
    return _SECRETS.sub(lambda found: f"{found[1]}_***" if found[1] else "***", text)


def _random(length: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def _checksum(body: str) -> str:
    number = zlib.crc32(body.encode())
    digits = ""
    for _ in range(_CHECKSUM_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return digits
