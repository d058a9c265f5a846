-- No question is asked by subject: alerts match it as events come in. The index cost every insert and served nobody.

drop index control_event_of_subject;
