"""Model readers: is a needle found by somebody who is given the files and reads them?"""
