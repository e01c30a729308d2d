-- Posts that an agent scheduled by itself wait for a person once that agent was stopped.
alter type post_hold add value 'agents_stopped';
