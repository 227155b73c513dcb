// Lets OMPEval, whose sources OMPEVAL names, answer what pitboss is asked: its own functions, in a program of its own.
//
//     ompeval rank ROWS STRENGTHS REPEATS   ranks a file of rows of seven cards so often, and writes what they are worth
//     ompeval equity RANGE RANGE            counts every board for two ranges, on one thread
//
// Cards are numbered alike: four times the rank plus the suit. What is printed is the processor time in seconds, without
// reading and writing, and for an equity that of the first range.

#include "omp/EquityCalculator.h"
#include "omp/HandEvaluator.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

static double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

static int rank(const char* from, const char* to, int repeats)
{
    std::ifstream file(from, std::ios::binary);
    const std::vector<char> cards((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const size_t count = cards.size() / 7;
    std::vector<uint16_t> strengths(count);
    const omp::HandEvaluator evaluator;
    const double begun = seconds();
    for (int i = 0; i < repeats; ++i) {
        const uint8_t* row = reinterpret_cast<const uint8_t*>(cards.data());
        for (size_t k = 0; k < count; ++k, row += 7) {
            omp::Hand hand = omp::Hand::empty();
            for (int c = 0; c < 7; ++c)
                hand += omp::Hand(row[c]);
            strengths[k] = evaluator.evaluate(hand);
        }
    }
    std::printf("%.9f\n", seconds() - begun);
    std::ofstream(to, std::ios::binary).write(reinterpret_cast<const char*>(strengths.data()), 2 * count);
    return 0;
}

static int equity(const char* first, const char* second)
{
    omp::EquityCalculator calculator;
    const double begun = seconds();
    if (!calculator.start({omp::CardRange(first), omp::CardRange(second)}, 0, 0, true, 0, nullptr, 60, 1))
        return 1;
    calculator.wait();
    std::printf("%.9f %.9f\n", seconds() - begun, calculator.getResults().equity[0]);
    return 0;
}

int main(int count, char** words)
{
    if (count == 5 && !std::strcmp(words[1], "rank"))
        return rank(words[2], words[3], std::atoi(words[4]));
    if (count == 4 && !std::strcmp(words[1], "equity"))
        return equity(words[2], words[3]);
    return 2;
}
