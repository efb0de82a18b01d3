"""The code base of a small platform of services, and the baseline it is reviewed against."""
