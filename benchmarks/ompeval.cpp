// Lets OMPEval, whose sources OMPEVAL names, answer what pitboss is asked: its own functions, called in a loop.

#include "omp/HandEvaluator.h"

#include <cstddef>
#include <cstdint>

// The strengths of rows of seven cards, numbered alike: four times the rank plus the suit.
extern "C" void rank_rows(const uint8_t* rows, size_t count, uint16_t* strengths)
{
    static const omp::HandEvaluator evaluator;
    for (size_t i = 0; i < count; ++i, rows += 7) {
        omp::Hand hand = omp::Hand::empty();
        for (int k = 0; k < 7; ++k)
            hand += omp::Hand(rows[k]);
        strengths[i] = evaluator.evaluate(hand);
    }
}
