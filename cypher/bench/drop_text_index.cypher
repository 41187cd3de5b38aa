// Returns: nothing. Takes away what bench/text_index made, so that a server that was only lent
//   to a benchmark is left as it was.
// Index: none; the index catalogue.
DROP INDEX bench_message_text IF EXISTS
