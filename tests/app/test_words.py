"""The strings of all languages: whole, of the same places, and none left in English."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from overlap_widget.app.cli import main
from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.layer_texts import layer_text
from overlap_widget.app.measured import example
from overlap_widget.app.picture_file import picture_file
from overlap_widget.app.said import Said, as_data, text
from overlap_widget.app.settings import DEFAULT, settings_of
from overlap_widget.app.titles import scenario_title
from overlap_widget.app.words import languages, speaking, spoken, strings, words
from overlap_widget.model.links import LINKS
from overlap_widget.model.rules import RULES
from overlap_widget.model.scenarios import SCENARIOS

STATIC = Path(__file__).parents[2] / "static"
OTHERS = [lang for lang in languages() if lang != "en"]
PLACE = re.compile(r"\{\w+\}")
FORMS = ("one", "other")
SAME = """
    language.dir csv.of csv.save group.of_ranks control.plan number.kernels
    predict.open_number
    layer.embeddings layer.pooler plan.ddp plan.megatron plan.deepspeed
    link.a100-nvlink-8 link.h100-nvlink-8 link.b200-nvlink-8
    field.bucket field.rank field.name field.kernels
    column.cap column.kernels column.rank column.name ranks.title
    share.form.html share.form.myst rank.numbered recording.ranked mark.stream
    collective.all_reduce collective.reduce_scatter collective.all_gather
    collective.broadcast collective.reduce collective.all_to_all
"""
"""Names, terms of the field, and texts that only join them."""


def own(lang):
    """What the file of a language says itself."""
    return json.loads((STATIC / f"strings.{lang}.json").read_text(encoding="utf-8"))


def test_english_comes_first_and_spanish_is_there():
    assert languages()[0] == "en"
    assert "es" in languages()


@pytest.mark.parametrize("lang", OTHERS)
def test_a_language_says_all_that_english_says_and_nothing_else(lang):
    assert list(own(lang)) == list(strings())


@pytest.mark.parametrize("lang", OTHERS)
def test_each_text_has_the_places_of_the_english_one(lang):
    def places(said):
        return {key: {*PLACE.findall(one)} for key, one in said.items()}

    assert places(own(lang)) == places(strings())


@pytest.mark.parametrize("lang", OTHERS)
def test_no_text_is_left_in_english(lang):
    same = {
        key
        for key, said in own(lang).items()
        if said == strings()[key] and re.search("[A-Za-z]{2}", PLACE.sub("", said))
    }
    units = {key for key in same if key.startswith("unit.")}
    counted = {
        f"count.{noun}.{form}" for noun in ("ranks", "kernels") for form in FORMS
    }

    assert same - units - counted - {*SAME.split()} == set()


@pytest.mark.parametrize("lang", languages())
def test_what_is_counted_has_each_form(lang):
    keys = [key.split(".") for key in own(lang) if key.startswith("count.")]
    nouns = {noun for _, noun, _ in keys}

    assert {(noun, form) for _, noun, form in keys} == {
        (noun, form) for noun in nouns for form in FORMS
    }


@pytest.mark.parametrize("lang", languages())
def test_texts_are_set_as_print_has_them(lang):
    for key, said in own(lang).items():
        assert said == said.strip(), key
        assert "  " not in said, key
        assert not re.search(r"\.\.\.|\d,\d(?!\d\d)", said), key
        assert said.count("“") == said.count("”"), key
        assert said.count("¿") in (0, said.count("?")) or lang == "en", key


def test_what_ships_has_words_and_english_ones_are_the_models_own():
    for name, scenario in SCENARIOS.items():
        assert words(f"scenario.{name}") == scenario.title
    for name, rule in RULES.items():
        assert (words(f"plan.{name}"), words(f"plan.{name}.hint")) == (
            rule.title,
            rule.says,
        )
    for name, link in LINKS.items():
        assert words(f"link.{name}") == link.title


def test_what_comes_from_a_file_is_called_as_it_calls_itself():
    course = SCENARIOS["course"]
    with speaking("es"):
        assert text(scenario_title(course)).startswith("Ejemplo del curso")
        assert scenario_title(replace(course, title="Mine")) == "Mine"
        assert scenario_title(replace(course, name="mine")) == course.title


def test_a_language_is_spoken_within_its_block_and_no_longer():
    with speaking("es"):
        assert words("mode.explore") == "Explorar"
        with speaking("en"):
            assert words("mode.explore") == "Explore"
        assert spoken() == "es"
    assert words("mode.explore") == "Explore"
    with pytest.raises(KeyError), speaking("xx"):
        pass


def test_a_sentence_is_said_in_the_language_that_is_spoken():
    lever = Said("lever.bucket", {"bucket_layers": 1})
    said = Said("help.one", {"first": lever, "saves_s": 0.0043})
    for one in (said, as_data(said)):
        assert text(one) == "What helps most: 1 layer a bucket (saves 4.3 ms)."
        with speaking("es"):
            assert text(one) == "Lo que más ayuda: 1 capa por bucket (ahorra 4.3 ms)."


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("layer 12", "capa 12"),
        ("block 3 to embeddings", "bloque 3 a embeddings"),
        ("part 2.13", "parte 2.13"),
        ("layer4.1.bn2.bias to fc.weight", "layer4.1.bn2.bias a fc.weight"),
        ("layer norm", "layer norm"),
        ("my net", "my net"),
    ],
)
def test_layers_that_ship_have_names_and_tensors_keep_theirs(name, said):
    assert layer_text(name) == name
    with speaking("es"):
        assert layer_text(name) == said


QUERIES = [
    "bucket=5&slowdown=0.2&late=1ms",
    "scenario=gpt2-large&plan=ddp&link=a100-ib-16-table",
]


def views(query, lang):
    """All that a session of that language hands its page, but which language it is."""
    with speaking(lang):
        explorer = Explorer([replace(example(), rank=0)], query=f"{query}&lang={lang}")
        front = explorer.__panel__()
        config = {key: one for key, one in front.config.items() if key != "strings"}
        view, *rest = (
            front.parts[part] for part in ("view", "figures", "sweep", "map", "ranks")
        )
    assert view["state"].pop("lang") == lang
    assert f"lang={lang}" in view.pop("address")
    return json.dumps([view, rest, config], sort_keys=True)


@pytest.mark.parametrize("query", [*(f"mode=explore&{one}" for one in QUERIES), "v=1"])
def test_a_view_holds_no_words_so_it_is_the_same_in_all_languages(query):
    assert views(query, "es") == views(query, "en")


def test_a_page_speaks_the_language_that_it_starts_in_before_its_scripts_run():
    page = embedded_page(replace(DEFAULT, lang="es"))
    before = page.split('<script type="application/json"')[0]

    assert '<html lang="es" dir="ltr">' in page
    assert "<title>Ocultar la comunicación tras el cómputo</title>" in before
    assert "La versión interactiva necesita JavaScript" in before
    assert "14.3\xa0ms" in before
    assert ">fin de la pasada<" in before.replace("\xa0", "")
    for key in ("verdict.waits", "legend.hidden", "number.backward", "axis.time"):
        assert strings()[key].split("{")[0] not in before, key


def test_a_picture_is_in_the_language_of_its_settings():
    settings = replace(settings_of(SCENARIOS["gpt2-small"]), lang="es")
    drawn = picture_file(settings).replace("\xa0", " ")

    assert ' lang="es"' in drawn
    assert "GPT-2 small: doce bloques" in drawn
    assert "cabezal" in drawn  # a label of its lane
    assert "Tiempo desde el inicio" in drawn
    assert "Time since" not in drawn
    recorded = picture_file(settings, [example()])
    assert "Quedan expuestos" in recorded
    assert "Cómputo, stream 7" in recorded


def test_a_page_is_exported_in_a_language(tmp_path, capsys):
    path = tmp_path / "page.html"
    assert main(["export", str(path), "--lang", "es", "--bucket-elements", "5e6"]) == 0

    page = path.read_text(encoding="utf-8")
    assert '<html lang="es"' in page
    assert '"plan.given","values":{"given":{"key":"plan.elements"' in page
    out, err = capsys.readouterr()
    assert ("one file" in out, err) == (True, "")  # the command line is English
