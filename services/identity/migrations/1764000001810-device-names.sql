-- What the app calls the device of a login, for the list of sessions; null where it says nothing.

alter table token add column device_name text;
