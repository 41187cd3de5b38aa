"""From the text of a document to one that may be run; what was read once is remembered."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLSchema,
    Lexer,
    MaxIntrospectionDepthRule,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    Source,
    TokenKind,
    parse,
    specified_rules,
    validate,
)
from graphql.utilities import get_operation_ast

from ..errors import ApiError, ErrorCode
from ..serve_settings import ServeSettings
from .cost import Limits, Measure, measure, over_limit

MAX_CHARACTERS = 64 * 1024
"""Characters of a document, at most; what is long belongs into variables."""
MAX_FRAGMENTS = 50
MAX_OPERATIONS = 10

_REMEMBERED = 256
_MAX_ERRORS = 20
# Longer ones are read beside the event loop.
_SHORT = 2000
# Brackets stand around the fields of a level, its arguments, and lists and objects in these.
_BRACKETS_PER_LEVEL = 2
_OPENING = frozenset({TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L})
_CLOSING = frozenset({TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R})


class InvalidDocumentError(Exception):
    """The document does not fit the grammar or the schema.

    Attributes:
        errors: what GraphQL says about it.
    """

    def __init__(self, errors: list[GraphQLError]) -> None:
        super().__init__()
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Admitted:
    """An operation that may be run.

    Attributes:
        document: it and its fragments.
        operation: which of the document's operations.
        size: what it measures.
    """

    document: DocumentNode
    operation: OperationDefinitionNode
    size: Measure

    @property
    def name(self) -> str:
        """What the client calls it; empty if it has no name."""
        return self.operation.name.value if self.operation.name else ""


class Gate:
    """Reads documents within limits that hold before anything long is done with them.

    Args:
        schema: what they have to fit.
        settings: the limits, and whether introspection is answered.
    """

    def __init__(self, schema: GraphQLSchema, settings: ServeSettings) -> None:
        self._schema = schema
        self._tokens = settings.serve_max_query_tokens
        self._limits = Limits(
            settings.serve_max_cost,
            settings.serve_max_depth,
            settings.serve_max_aliases,
            settings.serve_max_fields,
        )
        rules = list(specified_rules)
        if settings.serve_development:
            rules.append(MaxIntrospectionDepthRule)
        else:
            rules.append(NoSchemaIntrospectionCustomRule)
        self._rules = tuple(rules)
        self._known: OrderedDict[str, DocumentNode] = OrderedDict()

    async def admit(
        self, text: str, variables: Mapping[str, Any], operation_name: str | None
    ) -> Admitted:
        """The operation, if it may be run.

        Args:
            text: the document.
            variables: their values as they came; they are not checked here.
            operation_name: which operation, where there are several.

        Raises:
            ApiError: COST_LIMIT or TOO_LARGE; BAD_INPUT if there is no such operation.
            InvalidDocumentError: it does not fit the grammar or the schema.
        """
        document = self._known.get(text)
        if document is None:
            if len(text) > _SHORT:
                document = await asyncio.to_thread(self.read, text)
            else:
                document = self.read(text)
            self._known[text] = document
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(text)
        operation = get_operation_ast(document, operation_name)
        if operation is None:
            raise ApiError(
                "The document has no such operation, or several and none was named.",
                "Name one of its operations in `operationName`.",
            )
        size = measure(self._schema, document, operation, variables)
        size.check(self._limits)
        return Admitted(document, operation, size)

    def read(self, text: str) -> DocumentNode:
        """The document, parsed and validated.

        Raises:
            ApiError: it is too large in some way that does not hang on variables.
            InvalidDocumentError: it does not fit the grammar or the schema.
        """
        if len(text) > MAX_CHARACTERS:
            raise ApiError(
                f"The document has {len(text):,} characters; {MAX_CHARACTERS:,} are allowed.",
                "Hand long values over as variables.",
                code=ErrorCode.TOO_LARGE,
                measure="characters",
                figure=len(text),
                limit=MAX_CHARACTERS,
            )
        try:
            self._scan(text)
            document = parse(text, no_location=False)
        except GraphQLError as error:
            raise InvalidDocumentError([error]) from None
        self._check_statically(document)
        try:
            errors = validate(self._schema, document, self._rules, _MAX_ERRORS)
        except RecursionError:
            raise over_limit(
                "levels", "depth", self._limits.depth + 1, self._limits.depth
            ) from None
        if errors:
            raise InvalidDocumentError(errors)
        return document

    def _scan(self, text: str) -> None:
        """Count tokens and nesting: quick, and without recursion."""
        lexer = Lexer(Source(text))
        tokens = depth = 0
        deepest = _BRACKETS_PER_LEVEL * self._limits.depth + 1
        while (token := lexer.advance()).kind is not TokenKind.EOF:
            tokens += 1
            if tokens > self._tokens:
                raise over_limit("tokens or more", "tokens", tokens, self._tokens)
            if token.kind in _OPENING:
                depth += 1
                if depth > deepest:
                    raise self._too_deep()
            elif token.kind in _CLOSING:
                depth -= 1

    def _too_deep(self) -> ApiError:
        depth = self._limits.depth
        return over_limit("levels or more", "depth", depth + 1, depth)

    def _check_statically(self, document: DocumentNode) -> None:
        """What holds whatever the variables are, for all operations, because all are validated."""
        operations = [
            node for node in document.definitions if isinstance(node, OperationDefinitionNode)
        ]
        fragments = sum(isinstance(node, FragmentDefinitionNode) for node in document.definitions)
        if len(operations) > MAX_OPERATIONS:
            raise over_limit("operations", "operations", len(operations), MAX_OPERATIONS)
        if fragments > MAX_FRAGMENTS:
            raise over_limit("fragments", "fragments", fragments, MAX_FRAGMENTS)
        total = Measure()
        for operation in operations:
            total = total.beside(measure(self._schema, document, operation, {}))
        Measure(0, total.depth, total.aliases, total.fields).check(self._limits)
