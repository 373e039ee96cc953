-- The access rule of docs/access-rule.md as row-level security.
--
-- Only `chunks` is read by whoever searches. Everything else belongs to the loader; a plain role
-- has no right to it and reaches it through `readable()` alone, which runs as its owner. A session
-- says who asks, and when, in settings; where one is missing nothing is readable.
-- Times that end are ranges: `live @> now` is the whole test. All are half-open.

CREATE TABLE policy (unlabelled_denied boolean NOT NULL, archive boolean NOT NULL);

CREATE TABLE principals (
  principal_id text PRIMARY KEY, tenant_id text, anonymous boolean NOT NULL,
  clearance smallint,                 -- null: none, where the policy denies what has none
  compartments text[] NOT NULL, active tstzmultirange NOT NULL);

CREATE TABLE memberships (
  membership_id text PRIMARY KEY, unit_id text NOT NULL, member_id text NOT NULL,
  member_is_unit boolean NOT NULL, live tstzrange NOT NULL);
CREATE INDEX ON memberships (member_id, member_is_unit);

CREATE TABLE guests (
  guest_id text PRIMARY KEY, principal_id text NOT NULL, tenant_id text NOT NULL,
  live tstzrange NOT NULL);
CREATE INDEX ON guests (principal_id);

CREATE TABLE links (link_id text PRIMARY KEY, live tstzrange NOT NULL);
CREATE TABLE openings (link_id text NOT NULL, principal_id text NOT NULL, at timestamptz NOT NULL);
CREATE INDEX ON openings (link_id);
CREATE INDEX ON openings (principal_id);

CREATE TABLE folders (
  folder_id text PRIMARY KEY, parent_id text, label smallint, compartments text[] NOT NULL,
  inherits boolean NOT NULL);

CREATE TABLE documents (
  document_id text PRIMARY KEY, tenant_id text NOT NULL, folder_id text, label smallint,
  compartments text[] NOT NULL, inherits boolean NOT NULL, owner_id text);
CREATE INDEX ON documents (folder_id);

-- `subject_id` of an entry for everyone is the tenant whose everyone is meant.
CREATE TABLE entries (
  object_id text NOT NULL, on_folder boolean NOT NULL, denies boolean NOT NULL,
  kind text NOT NULL, subject_id text NOT NULL, live tstzrange NOT NULL);
CREATE INDEX ON entries (object_id, on_folder);
CREATE INDEX ON entries (kind, subject_id);

CREATE TABLE versions (
  version_id text PRIMARY KEY, document_id text NOT NULL,
  valid tstzrange NOT NULL,           -- empty where it has no beginning
  recorded tstzrange NOT NULL,
  published tstzmultirange NOT NULL, withdrawn tstzmultirange NOT NULL,
  draft tstzmultirange NOT NULL);
CREATE INDEX ON versions (document_id);

CREATE TABLE passages (
  chunk_id text PRIMARY KEY, version_id text NOT NULL, document_id text NOT NULL, label smallint,
  compartments text[] NOT NULL);
CREATE INDEX ON passages (document_id);

CREATE TABLE chunks (
  chunk_id text PRIMARY KEY, version_id text NOT NULL, document_id text NOT NULL,
  text text NOT NULL, words text[] NOT NULL, model text NOT NULL, indexed_at timestamptz,
  embedding vector({dimensions}) NOT NULL);
CREATE INDEX ON chunks (document_id);

-- Every folder with all that are above it; a break hands nothing down from further above.
CREATE VIEW above AS
WITH RECURSIVE step (folder_id, above_id, depth, hands_down) AS (
  SELECT folder_id, folder_id, 0, true FROM folders
  UNION ALL
  SELECT step.folder_id, folders.parent_id, depth + 1, hands_down AND folders.inherits
  FROM step JOIN folders ON folders.folder_id = step.above_id
  WHERE folders.parent_id IS NOT NULL)
SELECT * FROM step;

CREATE FUNCTION readable_by(who text, right_now timestamptz, as_of timestamptz, known_at timestamptz)
RETURNS SETOF text LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
WITH RECURSIVE
  me AS MATERIALIZED (                                                                  -- C1
    SELECT * FROM principals WHERE principal_id = who AND active @> right_now),
  home (tenant_id) AS (
    SELECT tenant_id FROM me WHERE NOT anonymous AND tenant_id IS NOT NULL
    UNION
    SELECT guests.tenant_id FROM guests JOIN me USING (principal_id) WHERE live @> right_now),
  within (unit_id) AS (
    SELECT unit_id FROM memberships JOIN me ON member_id = me.principal_id
    WHERE NOT member_is_unit AND live @> right_now
    UNION
    SELECT memberships.unit_id FROM memberships JOIN within ON member_id = within.unit_id
    WHERE member_is_unit AND live @> right_now),
  subject (kind, subject_id) AS (
    SELECT 'user', principal_id FROM me
    UNION ALL SELECT 'public', '' FROM me
    UNION ALL SELECT 'everyone', tenant_id FROM home
    UNION ALL SELECT 'unit', unit_id FROM within
    UNION ALL                                                                           -- C14
    SELECT DISTINCT 'link', link_id FROM links JOIN openings USING (link_id)
    JOIN me USING (principal_id) WHERE at <= right_now AND live @> right_now),
  mine AS (                                                                             -- C12, C13
    SELECT object_id, on_folder, denies, kind FROM entries JOIN subject USING (kind, subject_id)
    WHERE live @> right_now),
  listed (document_id, denies, kind) AS (
    SELECT object_id, denies, kind FROM mine WHERE NOT on_folder
    UNION ALL
    SELECT document_id, denies, kind FROM mine
    JOIN above ON above_id = object_id AND hands_down
    JOIN documents ON documents.folder_id = above.folder_id AND documents.inherits
    WHERE on_folder),
  said AS (
    SELECT document_id, bool_or(denies) AS denied, bool_or(NOT denies) AS granted,
      bool_or(NOT denies AND kind = 'public') AS public
    FROM listed GROUP BY document_id),
  shelf AS (
    SELECT above.folder_id, bool_and(folders.compartments <@ me.compartments) AS cleared,
      (array_agg(label ORDER BY depth) FILTER (WHERE label IS NOT NULL))[1] AS label
    FROM above JOIN folders ON folders.folder_id = above_id CROSS JOIN me
    GROUP BY above.folder_id),
  open AS (
    SELECT document_id, coalesce(documents.label, shelf.label) AS label,
      coalesce(granted, false) AS granted, coalesce(owner_id = who, false) AS own
    FROM documents CROSS JOIN me LEFT JOIN shelf USING (folder_id)
    LEFT JOIN said USING (document_id)
    WHERE (documents.tenant_id IN (SELECT tenant_id FROM home) OR coalesce(public, false)) -- C2
      AND documents.compartments <@ me.compartments AND coalesce(cleared, true)          -- C4
      AND NOT coalesce(denied, false))                                                  -- C8 to C10
SELECT chunk_id
FROM passages JOIN open USING (document_id) JOIN versions USING (version_id)
CROSS JOIN me CROSS JOIN policy
WHERE coalesce(passages.label, open.label, CASE WHEN NOT unlabelled_denied THEN 0 END)
    <= me.clearance                                                                     -- C3
  AND passages.compartments <@ me.compartments                                          -- C4
  AND (granted AND (published @> right_now OR archive AND withdrawn @> right_now)       -- C5, C11
    OR own AND draft @> right_now)
  AND valid @> as_of AND recorded @> known_at                                           -- C6, C7
$$;
REVOKE EXECUTE ON FUNCTION readable_by FROM PUBLIC;

-- For the one who asks, and for everybody through whom the question passes: what all may read.
-- A setting that was local to an earlier transaction is empty afterwards, not missing.
CREATE FUNCTION readable() RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
WITH hop (who) AS (
  SELECT DISTINCT value FROM
  json_array_elements_text(nullif(current_setting('rageval.principals', true), '')::json))
SELECT chunk_id FROM hop, readable_by(
  who,
  nullif(current_setting('rageval.now', true), '')::timestamptz,
  nullif(current_setting('rageval.as_of', true), '')::timestamptz,
  nullif(current_setting('rageval.known_at', true), '')::timestamptz) AS readable (chunk_id)
GROUP BY chunk_id HAVING count(*) = (SELECT count(*) FROM hop)
$$;

-- Uncorrelated on purpose: the rule is worked out once for a query, not once for a row.
CREATE POLICY readers ON chunks FOR SELECT USING (chunk_id IN (SELECT readable()));
