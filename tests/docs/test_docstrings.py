"""Docstrings say what is there: every public name, every argument, examples that run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import symdyn

ROOT = Path(symdyn.__file__).parent
SOURCES = sorted(ROOT.rglob("*.py"))
PUBLIC = sorted(symdyn._HOMES)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def functions_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions at module level and public methods."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from (n for n in node.body if isinstance(n, ast.FunctionDef))


def documented(doc: str) -> set[str]:
    """Names in the section "Parameters" of a docstring."""
    section = re.search(r"Parameters\n-{4,}\n(.*?)(?:\n\n[A-Z]|\n[A-Z]\w+\n-{4,}|\Z)", doc, re.S)
    if section is None:
        return set()
    heads = re.findall(r"^(\w[\w, ]*?) : ", section[1], re.MULTILINE)
    return {name.strip() for head in heads for name in head.split(",")}


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not text.strip() or ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_no_docstring_speaks_of_an_argument_that_is_gone(path: Path) -> None:
    for function in functions_of(ast.parse(path.read_text(encoding="utf-8"))):
        doc = ast.get_docstring(function) or ""
        arguments = function.args
        known = {
            a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        } | {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
        gone = documented(doc) - known
        assert not gone, f"{path.name}:{function.lineno} {function.name}"


@pytest.mark.parametrize("name", [n for n in PUBLIC if inspect.isfunction(getattr(symdyn, n))])
def test_public_functions_document_every_argument(name: str) -> None:
    function = getattr(symdyn, name)
    wanted = set(inspect.signature(function).parameters)
    assert wanted <= documented(inspect.getdoc(function) or ""), name


WITH_EXAMPLES = [p for p in SOURCES if ">>>" in p.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=module_name)
def test_examples_in_docstrings_run(path: Path) -> None:
    module: types.ModuleType = importlib.import_module(module_name(path))
    failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert tried
    assert not failed
