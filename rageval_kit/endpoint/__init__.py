"""How is somebody's HTTP endpoint asked, and how is its reply read?"""
