"""Documents drawn from a schema: valid ones that reach far, and the same with something broken."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection, Sequence

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    get_named_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)

_ODD = (
    "",
    " ",
    "\u202e",
    "a" * 5000,
    "NORD OR (",
    'quote " and \\ ',
    "数据库",
    "\U0001f333",
    "%00",
    "../../etc/passwd",
    "'; MATCH (n) DETACH DELETE n //",
    "*:*",
)
_NUMBERS = (0, 1, 2, 3, 20, 100, 101, -1, 2**31 - 1, 2**31)
_TIMES = ("2026-05-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59+14:00", "soon")


class Drawing:
    """Draws documents.

    Args:
        schema: what they are to fit.
        seed: the same seed draws the same.
        keys: values for identifiers, so that there is something to find.
        words: values for texts.
        mutations: the share of them, the others being queries.
        always: arguments and fields of inputs that are given wherever there are such.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        seed: int,
        keys: Sequence[str],
        words: Sequence[str],
        *,
        mutations: float = 0.1,
        always: Collection[str] = (),
    ) -> None:
        self._schema = schema
        self._random = random.Random(seed)
        self._keys = keys
        self._words = words
        self._mutations = mutations
        self._always = always

    def valid(self) -> str:
        """A query or a mutation that fits the schema but for odd values."""
        kind = "mutation" if self._random.random() < self._mutations else "query"
        root = self._schema.mutation_type if kind == "mutation" else self._schema.query_type
        assert root is not None
        return f"{kind} Drawn {self._selection(root, 4, roots=self._random.randint(1, 2))}"

    def broken(self) -> str:
        """One in which a piece is missing, doubled, or exchanged."""
        pieces = re.findall(r'"(?:[^"\\]|\\.)*"|\w+|[^\s\w]', self.valid())
        for _ in range(self._random.randint(1, 3)):
            at = self._random.randrange(len(pieces))
            match self._random.randrange(3):
                case 0:
                    del pieces[at]
                case 1:
                    pieces.insert(at, pieces[at])
                case _:
                    pieces[at] = self._random.choice(pieces)
            if not pieces:
                return ""
        return " ".join(pieces)

    def _selection(self, parent: GraphQLNamedType, levels: int, roots: int = 0) -> str:
        if not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType):
            return "{ __typename }"
        names = list(parent.fields)
        self._random.shuffle(names)
        wanted = roots or self._random.randint(1, 5)
        chosen = []
        for name in names:
            if len(chosen) == wanted:
                break
            drawn = self._field(name, parent.fields[name], levels)
            if drawn:
                chosen.append(drawn)
        if isinstance(parent, GraphQLInterfaceType):
            possible = self._random.choice(self._schema.get_possible_types(parent))
            if levels > 0:
                chosen.append(f"... on {possible.name} {self._selection(possible, levels - 1)}")
        return f"{{ {' '.join(chosen) or '__typename'} }}"

    def _field(self, name: str, field: GraphQLField, levels: int) -> str:
        arguments = []
        for argument, declared in field.args.items():
            needed = is_non_null_type(declared.type) and declared.default_value is not None
            if needed or argument in self._always or self._random.random() < 0.4:
                arguments.append(f"{argument}: {self._value(declared.type, argument)}")
        given = f"({', '.join(arguments)})" if arguments else ""
        inner = get_named_type(field.type)
        if is_leaf_type(inner):
            return f"{name}{given}"
        if levels == 0:
            return ""
        return f"{name}{given} {self._selection(inner, levels - 1)}"

    def _value(self, kind: GraphQLInputType, name: str, levels: int = 3) -> str:
        if is_non_null_type(kind):
            return self._value(kind.of_type, name, levels)
        if self._random.random() < 0.05:
            return "null"
        if is_list_type(kind):
            some = (
                self._value(kind.of_type, name, levels) for _ in range(self._random.randint(0, 3))
            )
            return f"[{', '.join(some)}]"
        if isinstance(kind, GraphQLEnumType):
            return self._random.choice(list(kind.values))
        if isinstance(kind, GraphQLInputObjectType):
            fields = [
                f"{inner}: {self._value(declared.type, inner, levels - 1)}"
                for inner, declared in kind.fields.items()
                if is_non_null_type(declared.type)
                or inner in self._always
                or (levels and self._random.random() < 0.4)
            ]
            return f"{{{', '.join(fields)}}}"
        return self._leaf(get_named_type(kind).name, name)

    def _leaf(self, kind: str, name: str) -> str:
        match kind:
            case "Int" | "Long":
                usual = name in ("first", "items", "last")
                return str(self._random.randint(1, 5) if usual else self._random.choice(_NUMBERS))
            case "Float":
                # Nobody has to wait for a job.
                return "0" if name == "waitSeconds" else "0.5"
            case "Boolean":
                return self._random.choice(("true", "false"))
            case "DateTime":
                return json.dumps(self._random.choice(_TIMES))
            case "ID":
                return json.dumps(self._random.choice(self._keys))
            case _:
                pool = self._random.choice((self._keys, self._words, self._words, _ODD))
                return json.dumps(self._random.choice(pool))
