-- Why an import failed, as data: the code of a fault and the values that its text names. `error` keeps the sentence for
-- programs; an import that failed before has that alone.
alter table data_upload
  add column error_code text,
  add column error_values jsonb;
