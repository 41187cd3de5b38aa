"""What the private Neo4j is told: `neo4j.conf` and the arguments of its Java."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from .layout import Layout

HOST = "127.0.0.1"
_JVM = (
    "-XX:+UseSerialGC",
    "-XX:+ExitOnOutOfMemoryError",  # a server that lost memory is worse than one restarted
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:-UsePerfData",  # no world-readable file about this process in the temporary folder
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djava.awt.headless=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
)
_PORTS = ("bolt", "http")
_SERVER_CLASS = "org.neo4j.server.Neo4jCommunity"
_ADMIN_CLASS = "org.neo4j.cli.AdminTool"


def neo4j_conf(bolt_port: int, http_port: int, page_cache_mib: int) -> str:
    """The text of `neo4j.conf`: loopback only, no HTTPS, no reports, small on disk."""
    settings = {
        "server.default_listen_address": HOST,
        "server.default_advertised_address": HOST,
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": f"{HOST}:{bolt_port}",
        # Drivers are told the advertised address and would go to port 7687 without it.
        "server.bolt.advertised_address": f"{HOST}:{bolt_port}",
        "server.http.enabled": "true",
        "server.http.listen_address": f"{HOST}:{http_port}",
        "server.http.advertised_address": f"{HOST}:{http_port}",
        "server.http_enabled_modules": "BROWSER",
        "server.https.enabled": "false",
        # Netty waits twice five seconds for stragglers before it lets the server stop.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
        "dbms.security.auth_enabled": "true",
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "server.http.x_forward.enabled": "false",
        "server.fleet_discovery.enabled": "false",
        "server.bolt.telemetry.enabled": "false",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "server.memory.pagecache.size": f"{page_cache_mib}m",
        # An empty store would take half a gigabyte of transaction logs otherwise.
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.size": "64M",
        "db.tx_log.rotation.retention_policy": "128M size",
        "server.config.strict_validation.enabled": "true",
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def configured_ports(conf: str) -> tuple[int, int] | None:
    """The Bolt and HTTP ports in the text of a `neo4j.conf`, as `neo4j_conf` wrote it."""
    found = [
        re.search(rf"^server\.{name}\.listen_address=.*:(\d+)$", conf, re.M) for name in _PORTS
    ]
    bolt, http = found
    return (int(bolt[1]), int(http[1])) if bolt and http else None


def server_arguments(layout: Layout, jars: Sequence[Path], heap_mib: int) -> str:
    """The argument file of the server's Java."""
    return _argument_file(
        *_JVM,
        f"-Xms{min(256, heap_mib)}m",
        f"-Xmx{heap_mib}m",
        "-cp",
        _class_path(jars),
        _SERVER_CLASS,
        f"--home-dir={layout.home}",
        f"--config-dir={layout.conf_dir}",
        "--console-mode",
    )


def initial_password_arguments(jars: Sequence[Path], password: str) -> str:
    """The argument file that sets the password of a store never started.

    The password stands in a file of mode 0600, so that no list of processes shows it.
    """
    return _argument_file(
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx256m",
        "-cp",
        _class_path(jars),
        _ADMIN_CLASS,
        "dbms",
        "set-initial-password",
        "--",  # what follows is no option, whatever it begins with
        password,
    )


def admin_environment(layout: Layout) -> dict[str, str]:
    """Variables by which the administration tool finds its store."""
    return {"NEO4J_HOME": str(layout.home), "NEO4J_CONF": str(layout.conf_dir)}


def _class_path(jars: Iterable[Path]) -> str:
    return os.pathsep.join(str(jar) for jar in jars)


def _argument_file(*arguments: str) -> str:
    # Quoted, with back slashes doubled: the rules of Java's argument files.
    return "".join('"{}"\n'.format(a.replace("\\", "\\\\").replace('"', '\\"')) for a in arguments)
