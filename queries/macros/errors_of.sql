-- errors_of: how many of an output's marked errors a measure counts: mqm_errors, mqm_errors[major]; NULL for any other measure.
-- In brackets stands a severity or a category of errors on the criterion before _errors.
CREATE OR REPLACE MACRO errors_of(measure, criterion, errors) AS
    CASE
        WHEN measure = criterion || '_errors' THEN len(errors)
        WHEN starts_with(measure, criterion || '_errors[') AND ends_with(measure, ']')
            THEN len(list_filter(errors, lambda span: measure[len(criterion) + 9:-2] IN (
                span.severity, span.category
            )))
    END;
