-- Segments kept blanks around the values of "is one of" and "is none of", which no member has: such values matched nobody.
CREATE FUNCTION pg_temp.trim_choices(node jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  -- As JavaScript's trim(): \s of a regular expression depends on the database's locale.
  blanks text := E' \t\n\u000B\f\r\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A'
    || E'\u2028\u2029\u202F\u205F\u3000\uFEFF';
BEGIN
  IF jsonb_typeof(node) = 'array' THEN
    RETURN (
      SELECT coalesce(jsonb_agg(pg_temp.trim_choices(item) ORDER BY n), '[]')
      FROM jsonb_array_elements(node) WITH ORDINALITY AS each (item, n));
  END IF;
  IF jsonb_typeof(node) <> 'object' THEN
    RETURN node;
  END IF;
  IF node ->> 'operator' IN ('in', 'notIn') AND jsonb_typeof(node -> 'value') = 'array' THEN
    RETURN jsonb_set(node, '{value}', (
      SELECT coalesce(jsonb_agg(
        CASE WHEN jsonb_typeof(item) = 'string'
          THEN to_jsonb(btrim(item #>> '{}', blanks)) ELSE item END ORDER BY n), '[]')
      FROM jsonb_array_elements(node -> 'value') WITH ORDINALITY AS each (item, n)));
  END IF;
  RETURN (
    SELECT coalesce(jsonb_object_agg(key, pg_temp.trim_choices(value)), '{}') FROM jsonb_each(node));
END $$;

UPDATE list SET query = pg_temp.trim_choices(query), counted_at = NULL
WHERE query IS DISTINCT FROM pg_temp.trim_choices(query);
