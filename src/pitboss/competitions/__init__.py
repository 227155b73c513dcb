"""Competitions of many entrants: forms, matches, results with intervals, ties, a report and a certificate.

The command is `pitboss arena compete`.
"""
