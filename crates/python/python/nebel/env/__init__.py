"""Environments for learners: `nebel.env.pettingzoo` and `nebel.env.open_spiel`, each with the package of its name."""
