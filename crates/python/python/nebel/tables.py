"""Endgame tables: White with one or two men against a bare king he cannot see."""

from nebel._nebel import build_tables as build
from nebel._nebel import probe_tables as probe

__all__ = ["build", "probe"]
