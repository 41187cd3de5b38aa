"""What stands between a request and the schema: documents, limits, rates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphql import GraphQLSchema

from ..access.principal import Principal
from ..access.rate import RequestLimit
from ..errors import ApiError, ErrorCode, SettingsError
from ..settings import Settings
from .documents import Admitted, Gate, InvalidDocumentError
from .persisted import PersistedDocuments, load_trusted


class Protection:
    """One for the life of the process.

    Args:
        schema: what documents have to fit.
        settings: the limits.

    Raises:
        SettingsError: the trusted documents cannot be read or do not fit.
    """

    def __init__(self, schema: GraphQLSchema, settings: Settings) -> None:
        self._gate = Gate(schema, settings)
        path = settings.serve_trusted_documents
        trusted = load_trusted(path) if path else None
        for text in (trusted or {}).values():
            try:
                self._gate.read(text)
            except (ApiError, InvalidDocumentError) as error:
                why = error.errors[0].message if isinstance(error, InvalidDocumentError) else error
                raise SettingsError(
                    f"A document in {path} cannot be run: {why}", "Correct it, or take it out."
                ) from error
        self.documents = PersistedDocuments(trusted)
        self._by_address = settings.serve_insecure
        self._rate = RequestLimit(settings.serve_rate_per_minute)

    async def admit(
        self,
        query: str | None,
        variables: Mapping[str, Any] | None,
        operation_name: str | None,
        extensions: Mapping[str, Any] | None,
    ) -> Admitted:
        """The operation that a request means, if it may be run.

        Raises:
            ApiError: it may not, or cannot.
            InvalidDocumentError: it does not fit the grammar or the schema.
        """
        text = self.documents.text(query, extensions)
        admitted = await self._gate.admit(text, variables or {}, operation_name)
        self.documents.remember(text, extensions)
        return admitted

    def count(self, principal: Principal, client: str) -> None:
        """Note one more request of a token.

        Raises:
            ApiError: RATE_LIMITED, if that is too many within the minute.
        """
        # Without sign-in all have the same token; then it is each address that is limited.
        who = client if self._by_address else principal.token_id
        if (wait_s := self._rate.hit(who)) is not None:
            raise ApiError(
                "This token has sent too many requests within a minute.",
                f"Wait {wait_s} s.",
                code=ErrorCode.RATE_LIMITED,
                retryAfter=wait_s,
            )
