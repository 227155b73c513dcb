"""`models.toml`: what it may contain, and what each error says."""

from pathlib import Path

import pytest

from pitboss.arena.agents.models import Model, ModelError, find_model, read_models

WHOLE = """
[models.big]
base_url = "https://models.example/v1/"
model = "big-1"
key_env = "PITBOSS_TEST_KEY"
temperature = 0.5
max_tokens = 400
timeout_s = 20
budget_usd = 1.5
price_in = 3
price_out = 15
"""
SHORT = '[models.m]\nbase_url = "http://127.0.0.1:0/v1"\nmodel = "m"\n'


def test_a_file_gives_every_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "models.toml"
    file.write_text(WHOLE, encoding="utf-8")
    monkeypatch.setenv("PITBOSS_TEST_KEY", "secret")
    model = find_model("llm:big", file)
    assert model == Model(
        base_url="https://models.example/v1/",
        model="big-1",
        key_env="PITBOSS_TEST_KEY",
        temperature=0.5,
        max_tokens=400,
        timeout_s=20,
        budget_usd=1.5,
        price_in=3,
        price_out=15,
    )
    assert model.address == "https://models.example/v1/chat/completions"
    assert model.key == "secret"


def test_the_file_in_the_current_folder_is_read_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models.toml").write_text(SHORT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert find_model("llm:m").model == "m"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SHORT + "modle = 1", "models.m.modle: this key is not known; did you mean model?"),
        (SHORT + "zzz = 1", "models.m.zzz: this key is not known; expected one of base_url, model, key_env"),
        ('[models.m]\nmodel = "m"', "models.m: object missing required field `base_url`"),
        (SHORT + 'timeout_s = "1"', "models.m.timeout_s: expected `float`, got `str`"),
        (SHORT + "timeout_s = -1", "models.m.timeout_s: expected seconds, more than 0, got -1.0"),
        (SHORT + "timeout_s = inf", "models.m.timeout_s: expected seconds, more than 0, got inf"),
        (SHORT + "price_in = nan", "models.m.price_in: expected a number from 0, got nan"),
        (SHORT + "temperature = 3", "models.m.temperature: expected a number from 0 to 2, got 3.0"),
        (SHORT + "max_tokens = 0", "models.m.max_tokens: expected a whole number from 1, got 0"),
        ('[models.m]\nbase_url = "x"\nmodel = "m"', "models.m.base_url: expected an address such as"),
        ("[models]\nm = 3", "models.m: expected a table with base_url and model, got 3"),
        ('[model.m]\nmodel = "m"', "expected only tables called [models.NAME], got model"),
        ("", "expected only tables called [models.NAME]"),
        ("[models", "not valid TOML"),
    ],
)
def test_each_mistake_is_one_sentence_with_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "models.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        read_models(file)
    assert str(caught.value).startswith(str(file))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value).replace("\\n", "").replace(str(file), "") or "TOML" in sentence


def test_missing_files_names_and_keys_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "models.toml"
    with pytest.raises(ModelError, match="No such file or directory; give a file with --models"):
        find_model("llm:big", file)
    file.write_text(WHOLE, encoding="utf-8")
    with pytest.raises(ModelError, match=r"expected a table \[models.bgi\]; did you mean big\?"):
        find_model("llm:bgi", file)
    monkeypatch.delenv("PITBOSS_TEST_KEY", raising=False)
    with pytest.raises(ModelError, match="the environment variable PITBOSS_TEST_KEY is not set"):
        find_model("llm:big", file)
