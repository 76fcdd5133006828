"""Fraction schema: a fraction is sent, and described in OpenAPI, as a figure with its value."""

from fractions import Fraction
from typing import Any

from litestar.openapi.spec import Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from fourcard.answers import FigureValue, figure_value

FIGURE_ENCODERS = {Fraction: figure_value}


class FigureSchemas(OpenAPISchemaPlugin):
    """OpenAPI plugin that describes a fraction as the figure that is sent."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Say whether a type is a fraction."""
        return field_definition.annotation is Fraction

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """Return the schema of a figure."""
        del field_definition
        figure: Schema = schema_creator.for_field_definition(FieldDefinition.from_annotation(FigureValue))
        return figure
