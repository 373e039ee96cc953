"""Who answers from the passages? One kind a file."""
