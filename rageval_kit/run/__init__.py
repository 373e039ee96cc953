"""One evaluation from plan to archive: prepare, ask, judge, decide, keep; and proof and replay."""
