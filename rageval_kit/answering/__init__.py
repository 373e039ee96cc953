"""How is what a retriever found turned into an answer by somebody's model?"""
