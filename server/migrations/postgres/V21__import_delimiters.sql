-- What stands between the cells of an import's refused rows, as between those of its file. Those that were kept before have commas.
ALTER TABLE imports ADD COLUMN delimiter TEXT NOT NULL DEFAULT ',';
