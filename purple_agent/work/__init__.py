"""What is done in the process of one task: unpack, solve, tell.

It is started by the service with the task's folder as its only argument, and ends with it.
"""
