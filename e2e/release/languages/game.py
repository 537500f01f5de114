"""A game that grants in a transaction of its own database, and dies at one of four places. Prints what it answered."""

import os
import signal
import sys

import coinslot

library, url, place, key = sys.argv[1:]
GRANT = "insert into grants (player) values (%s)"


def die(at):
    if at == place:
        os.kill(os.getpid(), signal.SIGKILL)


def in_transaction(database, execute, context, player):
    execute(GRANT, (player,))
    die("granted")
    context.finish_in(database)
    if place == "fails":
        raise RuntimeError("the game has a bug")
    die("finished")


def with_psycopg2(player, context):
    import psycopg2

    database = psycopg2.connect(url)
    in_transaction(database, database.cursor().execute, context, player)
    database.commit()


def with_psycopg(player, context):
    import psycopg

    with psycopg.connect(url) as database:
        in_transaction(database, database.execute, context, player)


def with_cursor(player, context):
    import psycopg

    with psycopg.connect(url) as database, database.cursor() as cursor:
        in_transaction(cursor, cursor.execute, context, player)


def engine():
    import sqlalchemy

    return sqlalchemy.create_engine("postgresql+psycopg2:" + url.partition(":")[2])


def with_sqlalchemy(player, context):
    with engine().begin() as database:
        in_transaction(database, database.exec_driver_sql, context, player)


def with_session(player, context):
    from sqlalchemy.orm import Session

    with Session(engine()) as session, session.begin():
        in_transaction(session, session.connection().exec_driver_sql, context, player)


GRANTS = {
    "psycopg2": with_psycopg2,
    "psycopg": with_psycopg,
    "psycopg cursor": with_cursor,
    "SQLAlchemy": with_sqlalchemy,
    "SQLAlchemy session": with_session,
}


def connect():
    if library.startswith("SQLAlchemy"):
        return engine().raw_connection()
    return __import__(library.split(" ")[0]).connect(url)


def grant(event, context):
    die("began")
    GRANTS[library](event["event_data"]["player_id"], context)
    die("committed")


store = coinslot.SqlStore(connect)
store.create_table()
handler = coinslot.WebhookHandler("a signing secret", store, grant, grant)
event = coinslot.test_event(key=key, player_id=key)
print(handler.receive(*coinslot.sign_webhook(event, "a signing secret"))[0])
