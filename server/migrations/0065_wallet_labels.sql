-- The labels of kept wallets (BIP 329).

alter table kept_wallet add column labels text;
comment on column kept_wallet.labels is 'The labels of the wallet as JSON, sealed; null without labels.';
