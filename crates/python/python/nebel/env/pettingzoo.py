"""Kriegspiel as an AEC environment of PettingZoo.

>>> from nebel.env import pettingzoo
>>> env = pettingzoo.env()
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((465,), 34)
"""

from __future__ import annotations

from typing import Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from nebel._nebel import ACTIONS, EVENT_CODES, InputError, Umpire


def env(**options: Any) -> KriegspielEnv:
    """An environment; options are those of `KriegspielEnv`."""
    return KriegspielEnv(**options)


class KriegspielEnv(AECEnv):
    """Two agents, `white` and `black`. A side whose attempt was refused is to move again.

    An observation is what the agent may know and nothing else: `observation` holds its own men (6 planes of 64 squares), the codes of the last
    events that it heard (`last` rows of 20), and 1 for Black; `action_mask` marks what makes sense to try, for the side to move. An action outside
    the mask is nonsense to the umpire, costs nothing but an attempt, and tells nothing. After `max_attempts` a game is cut.
    """

    metadata = {"name": "nebel_kriegspiel_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(
        self,
        rules: Any = None,
        fen: Any = None,
        last: int = 4,
        max_attempts: int = 10_000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._beginning = Umpire(rules, fen)
        if self._beginning.over is not None:
            raise InputError("fen: the game is over before it begins")
        self._umpire = self._beginning.copy()
        self._last = last
        self._max_attempts = max_attempts
        self.render_mode = render_mode
        self.possible_agents = ["white", "black"]
        self.agents = self.possible_agents[:]
        size = 6 * 64 + last * EVENT_CODES + 1
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (size,), numpy.uint8),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), numpy.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All actions; `nebel.attempt_of` says which attempts they are."""
        return self.action_spaces[agent]

    @property
    def umpire(self) -> Umpire:
        """The umpire, who sees everything: for looking on, not for agents."""
        return self._umpire

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know now."""
        known = self._umpire.observation(agent, self._last)
        side = numpy.array([agent == "black"], numpy.uint8)
        return {
            "observation": numpy.concatenate([known["own"].ravel(), known["events"].ravel(), side]),
            "action_mask": known["action_mask"].astype(numpy.int8),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. Nothing in it is random."""
        self._umpire = self._beginning.copy()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._umpire.turn

    def step(self, action: Any) -> None:
        """Puts the action of the agent that is to move to the umpire."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._umpire.attempt(int(action))
        over = self._umpire.over
        if over is not None:
            white = {"1-0": 1.0, "0-1": -1.0}.get(over[0], 0.0)
            self.rewards = {"white": white, "black": -white}
            self.terminations = dict.fromkeys(self.agents, True)
        elif len(self._umpire) >= self._max_attempts:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._umpire.turn
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The umpire's board, as text or as SVG."""
        if self.render_mode == "svg":
            return self._umpire._repr_svg_()
        if self.render_mode == "ansi":
            return self._umpire.fen.split(" ")[0].replace("/", "\n")
        return None

    def close(self) -> None:
        """There is nothing to close."""
