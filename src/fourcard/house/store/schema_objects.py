"""Schema objects: what a database holds besides rows, each with its definition, and what it should hold."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from sqlalchemy import Connection, text

Dialect = Literal["sqlite", "postgres"]
SCHEMA_FILES: Mapping[Dialect, str] = {"sqlite": "schema_sqlite.json", "postgres": "schema_postgres.json"}
"""By dialect, the file of the objects that a house of this version has; ``make schema`` writes both."""


@cache
def expected_objects(dialect: Dialect) -> Mapping[str, str]:
    """Return the objects that a database of this version has."""
    content = files(__package__).joinpath(SCHEMA_FILES[dialect]).read_bytes()
    return msgspec.json.decode(content, type=dict[str, str])


def _joined(objects: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Return objects by name; no two share one, unless somebody has edited the catalog."""
    found = defaultdict[str, list[str]](list)
    for name, definition in objects:
        found[name].append(definition)
    return {name: "; ".join(sorted(definitions)) for name, definitions in sorted(found.items())}


# Read as bytes: what is not text must not stop the audit. Tables of statistics, which only speed up queries,
# are known by their whole statement: SQLite does what a statement says, whatever its row is called.
_SQLITE_OBJECTS = """
    SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)
    FROM sqlite_master
"""
_STATISTICS = (
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
)
_TEXT_OR_SPACES = re.compile(r"('[^']*')|[ \t\n\f\r]+")


def sqlite_objects(connection: Connection) -> Mapping[str, str]:
    """Return every object of a SQLite file with its statement; white space outside texts is one space."""
    rows = connection.exec_driver_sql(_SQLITE_OBJECTS).all()
    readable = [[(value or b"").decode(errors="backslashreplace") for value in row] for row in rows]
    return _joined(
        (f"{kind} {name}", _TEXT_OR_SPACES.sub(lambda each: each[1] or " ", sql) or f"of {table}")
        for kind, name, table, sql in readable
        if sql not in _STATISTICS
    )


# Objects of every schema in which names are looked up, and what hangs on their tables. Names are written as
# they are looked up: only one that is hidden behind another has its schema. Rights and owners are left out.
_POSTGRES_OBJECTS = text("""
    WITH spaces AS (
        SELECT oid FROM pg_namespace
        WHERE nspname = ANY (current_schemas(false)) AND nspname NOT IN ('pg_catalog', 'information_schema')
    ), relations AS (
        SELECT c.*, c.oid::regclass::text AS name FROM pg_class AS c
        WHERE relnamespace IN (SELECT oid FROM spaces)
    ), columns AS (
        SELECT attrelid, string_agg(concat_ws(' ',
            quote_ident(attname), format_type(atttypid, atttypmod),
            CASE WHEN attcollation <> 0 THEN 'COLLATE ' || attcollation::regcollation END,
            CASE WHEN attnotnull THEN 'NOT NULL' END,
            'IDENTITY ' || nullif(attidentity::text, ''), 'GENERATED ' || nullif(attgenerated::text, ''),
            'DEFAULT ' || pg_get_expr(adbin, adrelid)
        ), ', ' ORDER BY attnum) AS list
        FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attnum > 0 AND NOT attisdropped GROUP BY attrelid
    )
    SELECT CASE relkind
            WHEN 'r' THEN 'table ' WHEN 'p' THEN 'partitioned table ' WHEN 'f' THEN 'foreign table '
            WHEN 'v' THEN 'view ' WHEN 'm' THEN 'materialized view '
        END || name, concat_ws(', ',
            (SELECT list FROM columns WHERE attrelid = r.oid),
            CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(r.oid, true) END,
            CASE relpersistence WHEN 'u' THEN 'UNLOGGED' END,
            CASE WHEN relrowsecurity THEN 'ROW LEVEL SECURITY' END,
            CASE WHEN relforcerowsecurity THEN 'FORCED ROW LEVEL SECURITY' END)
    FROM relations AS r WHERE relkind IN ('r', 'p', 'f', 'v', 'm')
    UNION ALL SELECT 'sequence ' || name, concat_ws(' ', format_type(seqtypid, NULL),
            'START', seqstart, 'INCREMENT', seqincrement, 'FROM', seqmin, 'TO', seqmax, 'CACHE', seqcache,
            CASE WHEN seqcycle THEN 'CYCLE' END)
    FROM relations AS r JOIN pg_sequence ON seqrelid = r.oid
    UNION ALL
    SELECT 'constraint ' || quote_ident(conname) || ' on ' || name, pg_get_constraintdef(c.oid, true)
    FROM relations AS r JOIN pg_constraint AS c ON conrelid = r.oid WHERE contype <> 'n'
    UNION ALL SELECT 'index ' || indexrelid::regclass, concat_ws(' ', pg_get_indexdef(indexrelid, 0, true),
            CASE WHEN NOT (indisvalid AND indisready AND indislive AND relhasindex) THEN 'NOT IN USE' END)
    FROM relations AS r JOIN pg_index ON indrelid = r.oid
    UNION ALL SELECT 'trigger ' || quote_ident(tgname) || ' on ' || name, concat_ws(' ',
            pg_get_triggerdef(t.oid, true), 'STATE ' || nullif(tgenabled::text, 'O'),
            CASE WHEN NOT relhastriggers THEN 'NOT IN USE' END)
    FROM relations AS r JOIN pg_trigger AS t ON tgrelid = r.oid
    UNION ALL SELECT 'rule ' || quote_ident(rulename) || ' on ' || name, concat_ws(' ',
            pg_get_ruledef(w.oid, true), 'STATE ' || nullif(ev_enabled::text, 'O'))
    FROM relations AS r JOIN pg_rewrite AS w ON ev_class = r.oid
    WHERE NOT (relkind IN ('v', 'm') AND rulename = '_RETURN')
    UNION ALL SELECT 'policy ' || quote_ident(polname) || ' on ' || name, concat_ws(' ',
            polcmd, polpermissive, polroles,
            pg_get_expr(polqual, polrelid), 'CHECK ' || pg_get_expr(polwithcheck, polrelid))
    FROM relations AS r JOIN pg_policy ON polrelid = r.oid
    UNION ALL SELECT 'child table ' || inhrelid::regclass || ' of ' || inhparent::regclass, ''
    FROM pg_inherits JOIN relations AS r ON r.oid IN (inhparent, inhrelid)
    UNION ALL SELECT 'function ' || p.oid::regprocedure, concat_ws(' ', prokind,
            '(' || pg_get_function_arguments(p.oid) || ')', 'RETURNS ' || pg_get_function_result(p.oid),
            'LANGUAGE ' || lanname, provolatile, proparallel, CASE WHEN proisstrict THEN 'STRICT' END,
            CASE WHEN prosecdef THEN 'SECURITY DEFINER' END, CASE WHEN proleakproof THEN 'LEAKPROOF' END,
            'SET ' || proconfig::text, probin, 'AS ' || coalesce(pg_get_function_sqlbody(p.oid), prosrc))
    FROM pg_proc AS p JOIN pg_language AS l ON l.oid = prolang WHERE pronamespace IN (SELECT oid FROM spaces)
    UNION ALL SELECT o.type || ' ' || o.identity, ''
    FROM spaces JOIN pg_depend ON refclassid = 'pg_namespace'::regclass AND refobjid = spaces.oid
    CROSS JOIN pg_identify_object(classid, objid, 0) AS o
    WHERE classid NOT IN ('pg_class'::regclass, 'pg_proc'::regclass)
    AND o.type NOT IN ('default acl', 'publication namespace')
    UNION ALL
    SELECT 'setting session_replication_role of ' || coalesce(nullif(setrole, 0)::regrole::text, 'all'),
            setting
    FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS setting
    WHERE lower(setting) = 'session_replication_role=replica'
    AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
""")


def postgres_objects(connection: Connection) -> Mapping[str, str]:
    """Return every object of the schema in which a house is, and the settings that would bypass them."""
    path = connection.exec_driver_sql("SHOW search_path").scalar_one()
    triggers = connection.exec_driver_sql("SHOW session_replication_role").scalar_one()
    rows = [(name, definition) for name, definition in connection.execute(_POSTGRES_OBJECTS)]
    hides_catalog = "pg_catalog" in path.partition(",")[2]
    settings = [
        ("setting session_replication_role", triggers),
        ("setting search_path", path if hides_catalog else "pg_catalog comes first"),
    ]
    return _joined([*rows, *settings])
