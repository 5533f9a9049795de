; html
