#pragma once
#include "CoreMinimal.h"
struct FDefaultModuleImpl {};
