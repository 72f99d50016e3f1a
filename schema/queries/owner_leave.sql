-- migrate
RESET ROLE
