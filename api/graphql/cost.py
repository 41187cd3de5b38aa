"""What an operation would cost, computed before anything of it runs.

The cost of a field is its weight, plus the cost of what is selected below it times the number
of entries that it may bring. Fragments count wherever they are spread. The count needs one
pass over the document, however often its fragments spread one another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import strawberry
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)
from graphql.pyutils import Undefined
from strawberry.schema_directive import Location

from ..errors import ApiError, ErrorCode

LIST_SIZE = 10
"""Entries of a list that says nothing else of its size."""
PAGE_SIZE = 20
"""Entries of a connection where neither `first` nor `last` is given or has a default."""

_PAGE_ARGUMENTS = ("first", "last")
_PAGE_FIELDS = frozenset({"edges", "nodes"})


@strawberry.schema_directive(
    locations=[Location.FIELD_DEFINITION],
    name="cost",
    description="What the field adds to the cost of an operation. Without it, a field weighs 1 "
    "if it has fields of its own or asks the database, else 0; a connection has as many entries "
    f"as `first` or `last` asks for, and another list {LIST_SIZE}.",
)
class Cost:
    """The cost of a field, for `strawberry.field(directives=[Cost(weight=50)])`."""

    weight: int = strawberry.directive_field(name="weight", default=1)
    size: int | None = strawberry.directive_field(name="size", default=strawberry.UNSET)
    size_from: str | None = strawberry.directive_field(name="sizeFrom", default=strawberry.UNSET)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one operation may be, at most; see `Measure`."""

    cost: int
    depth: int
    aliases: int
    fields: int


@dataclass(frozen=True, slots=True)
class Measure:
    """How large an operation is.

    Attributes:
        cost: the sum of the weights, times the entries.
        depth: levels of fields.
        aliases: fields under another name.
        fields: all fields.
    """

    cost: int = 0
    depth: int = 0
    aliases: int = 0
    fields: int = 0

    def beside(self, other: Measure) -> Measure:
        """Both in one selection."""
        return Measure(
            self.cost + other.cost,
            max(self.depth, other.depth),
            self.aliases + other.aliases,
            self.fields + other.fields,
        )

    def check(self, limits: Limits) -> None:
        """Do nothing if it is within the limits.

        Raises:
            ApiError: COST_LIMIT, with the figure and the limit in its data.
        """
        for what, name in (
            ("levels of fields", "depth"),
            ("aliases", "aliases"),
            ("fields", "fields"),
            ("cost", "cost"),
        ):
            figure, limit = getattr(self, name), getattr(limits, name)
            if figure > limit:
                raise over_limit(what, name, figure, limit)


# What a client can still read; fragments that spread fragments reach figures beyond all numbers.
_LARGEST_FIGURE = 2**53


def over_limit(what: str, measure: str, figure: int, limit: int) -> ApiError:
    """The error that says which limit an operation exceeds, and by how much."""
    figure = min(figure, _LARGEST_FIGURE)
    said = f"a cost of {figure:,}" if measure == "cost" else f"{figure:,} {what}"
    return ApiError(
        f"The operation has {said}; {limit:,} is allowed.",
        "Ask for less at once: smaller pages, fewer levels, several operations.",
        code=ErrorCode.COST_LIMIT,
        measure=measure,
        figure=figure,
        limit=limit,
    )


def measure(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
) -> Measure:
    """How large `operation` is. Fields that the schema does not have count as leaves.

    Raises:
        ApiError: fragments spread one another in a circle, or too deeply to be followed.
    """
    root = schema.get_root_type(operation.operation)
    if root is None:
        return Measure()
    fragments = {
        node.name.value: node
        for node in document.definitions
        if isinstance(node, FragmentDefinitionNode)
    }
    values = _defaults(operation) | dict(variables)
    try:
        return _Measuring(schema, fragments, values).selections(operation.selection_set, root)
    except RecursionError:
        raise over_limit("fragments", "fragments", len(fragments), 0) from None


class _Measuring:
    def __init__(
        self,
        schema: GraphQLSchema,
        fragments: Mapping[str, FragmentDefinitionNode],
        variables: Mapping[str, Any],
    ) -> None:
        self._schema = schema
        self._fragments = fragments
        self._variables = variables
        self._measured: dict[str, Measure | None] = {}

    def selections(self, selected: SelectionSetNode, parent: GraphQLNamedType | None) -> Measure:
        total = Measure()
        for node in selected.selections:
            match node:
                case FieldNode():
                    total = total.beside(self._field(node, parent))
                case InlineFragmentNode():
                    on = node.type_condition
                    inner = self._schema.get_type(on.name.value) if on else parent
                    total = total.beside(self.selections(node.selection_set, inner))
                case FragmentSpreadNode():
                    total = total.beside(self._fragment(node.name.value))
        return total

    def _fragment(self, name: str) -> Measure:
        if name in self._measured:
            found = self._measured[name]
            if found is None:
                raise ApiError(
                    f"The fragment {name!r} spreads itself.", "Let no fragment lead back to itself."
                )
            return found
        fragment = self._fragments.get(name)
        if fragment is None:
            return Measure()
        self._measured[name] = None
        on = self._schema.get_type(fragment.type_condition.name.value)
        found = self._measured[name] = self.selections(fragment.selection_set, on)
        return found

    def _field(self, node: FieldNode, parent: GraphQLNamedType | None) -> Measure:
        name = node.name.value
        field = self._definition(name, parent)
        below = Measure()
        if node.selection_set:
            inner = get_named_type(field.type) if field else None
            below = self.selections(node.selection_set, inner)
        weight, size = self._declared(field, parent, node)
        return Measure(
            weight + size * below.cost,
            1 + below.depth,
            (node.alias is not None) + below.aliases,
            1 + below.fields,
        )

    def _definition(self, name: str, parent: GraphQLNamedType | None) -> GraphQLField | None:
        if isinstance(parent, GraphQLObjectType | GraphQLInterfaceType):
            return self._schema.get_field(parent, name)
        return None

    def _declared(
        self, field: GraphQLField | None, parent: GraphQLNamedType | None, node: FieldNode
    ) -> tuple[int, int]:
        """Weight of the field, and how many entries it may bring."""
        if field is None:
            return 0, 1
        cost = _cost_of(field)
        weight = cost.weight if cost else _weight(field)
        if cost and cost.size_from:
            return weight, self._argument(field, node, cost.size_from, cost.size or LIST_SIZE)
        for argument in _PAGE_ARGUMENTS:
            if argument in field.args:
                given = [name for name in _PAGE_ARGUMENTS if self._is_given(node, name)]
                return weight, self._argument(field, node, (given or [argument])[0], PAGE_SIZE)
        if cost and cost.size:
            return weight, cost.size
        return weight, self._list_size(field, parent, node.name.value)

    def _list_size(self, field: GraphQLField, parent: GraphQLNamedType | None, name: str) -> int:
        kind = field.type.of_type if is_non_null_type(field.type) else field.type
        if not is_list_type(kind):
            return 1
        within = parent.name if parent else ""
        # The field that led to a connection has counted its entries already. What
        # introspection brings is all in memory.
        counted = within.endswith("Connection") and name in _PAGE_FIELDS
        return 1 if counted or within.startswith("__") else LIST_SIZE

    def _is_given(self, node: FieldNode, name: str) -> bool:
        return any(argument.name.value == name for argument in node.arguments or ())

    def _argument(self, field: GraphQLField, node: FieldNode, name: str, default: int) -> int:
        value: Any = Undefined
        for argument in node.arguments or ():
            if argument.name.value == name:
                value = argument.value
        match value:
            case IntValueNode():
                number = _integer(value.value)
            case VariableNode():
                number = self._variables.get(value.name.value)
            case _:
                number = None
        if number is None and name in field.args:
            number = _default_value(field.args[name])
        if isinstance(number, bool) or not isinstance(number, int | float):
            return default
        return max(1, int(min(number, _LARGEST_FIGURE)))


def _weight(field: GraphQLField) -> int:
    if not is_leaf_type(get_named_type(field.type)):
        return 1
    # What is awaited for asks the database.
    definition = field.extensions.get("strawberry-definition")
    return int(bool(definition is not None and definition.is_async))


def _defaults(operation: OperationDefinitionNode) -> dict[str, Any]:
    return {
        definition.variable.name.value: _integer(definition.default_value.value)
        for definition in operation.variable_definitions or ()
        if isinstance(definition.default_value, IntValueNode)
    }


def _default_value(argument: Any) -> Any:
    value = argument.default_value
    return None if value is Undefined else value


def _integer(text: str) -> int | None:
    # Python refuses to read thousands of digits; none of these is a 32-bit number anyway.
    return int(text) if len(text) <= 20 else _LARGEST_FIGURE


def _cost_of(field: GraphQLField) -> Cost | None:
    definition = field.extensions.get("strawberry-definition")
    for directive in getattr(definition, "directives", ()):
        if isinstance(directive, Cost):
            return directive
    return None
