#!/bin/sh
# The role and the database that Radwork is given (README.md, In production), when the server of databases is new.
psql --username postgres --set ON_ERROR_STOP=1 --set "password=$RADWORK_PASSWORD" <<'SQL'
create role radwork login createrole password :'password';
create database radwork owner radwork template template0 encoding 'UTF8' locale 'C.UTF-8';
SQL
