# For `mctslab course grade` in a container; README, "Teach with it", has the two commands.
FROM python:3.12-slim
COPY . /mctslab
WORKDIR /mctslab
RUN python run.py setup
ENV HOME=/tmp PYTHONDONTWRITEBYTECODE=1
ENTRYPOINT [".venv/bin/python", "-m", "mctslab", "course", "grade"]
