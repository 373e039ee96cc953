"""How is Chinese and English text normalised, cut into words, and split into sentences?"""
