-- What the analysis of bytecode found. It depends on the code alone, so that every process and every restart shares it.

create table code_analysis (
  code_hash bytea not null check (octet_length(code_hash) = 32),
  -- The hash of the analyzer's source.
  analyzer_version text collate "C" not null,
  -- JSON, as text: no query reads inside it.
  facts text not null,
  -- The limit that the analysis exceeded, after which the code counts as not followed.
  exceeded text check (exceeded in ('steps', 'time', 'memory', 'result')),
  analyzed_at timestamptz not null default now(),
  primary key (code_hash, analyzer_version)
);
comment on table code_analysis is 'The facts that one version of the analyzer found in one code.';
